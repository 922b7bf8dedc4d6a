package io.redrive.server.http;

import io.redrive.events.Event;
import java.util.List;

/**
 * The events of a request.
 *
 * @param events at least one event
 * @param single whether the body was one event, and not an array
 */
record PublishRequest(List<Event> events, boolean single) {}
