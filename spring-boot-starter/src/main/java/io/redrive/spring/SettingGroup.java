package io.redrive.spring;

/**
 * Further settings below {@code redrive}, besides {@link RedriveProperties}. Listed in {@code META-INF/spring.factories}, so that
 * the check of unknown keys knows them.
 */
@FunctionalInterface
public interface SettingGroup {

    /**
     * Returns the record whose components are keys directly below {@code redrive}. A component of the type {@code Object} is a section
     * whose reader checks the keys below.
     */
    Class<? extends Record> settings();
}
