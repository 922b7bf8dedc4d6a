package io.redrive.server.config;

import io.redrive.spring.SettingGroup;

/** Makes the sections of webhooks known to the check of unknown keys; the reader of webhooks checks the keys within. */
final class WebhookSections implements SettingGroup {

    private record Sections(Object webhooks, Object routes, Object receive) {}

    @Override
    public Class<? extends Record> settings() {
        return Sections.class;
    }
}
