package io.redrive.server.config;

import io.redrive.spring.SettingGroup;

/** Makes the keys of {@link ServerProperties} known to the check of unknown keys. */
final class ServerSettingGroup implements SettingGroup {

    @Override
    public Class<? extends Record> settings() {
        return ServerProperties.class;
    }
}
