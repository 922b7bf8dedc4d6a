/**
 * Topics of Kafka in Spring Boot: a flow that feeds the pipeline, relays, dead letters on topics and their meters, where the
 * application has the module {@code redrive-kafka}.
 */
@NullMarked
package io.redrive.spring.kafka;

import org.jspecify.annotations.NullMarked;
