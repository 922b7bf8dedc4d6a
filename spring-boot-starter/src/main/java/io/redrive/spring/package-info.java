/**
 * Redrive in Spring Boot: a store, a bus and a pipeline without a line of code, handlers and retries by annotation, actors
 * as beans. {@link io.redrive.spring.RedriveProperties} are the settings.
 */
package io.redrive.spring;
