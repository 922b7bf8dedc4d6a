package io.redrive.spring;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.pipeline.Pipeline;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds the pipeline from settings and handler methods. */
final class PipelineFactory {

    private final RedriveProperties properties;
    private final RedriveSettings settings;
    private final RedriveNames names;
    private final HandlerMethods handlers;
    private final Time time;

    PipelineFactory(
            RedriveProperties properties,
            RedriveSettings settings,
            RedriveNames names,
            HandlerMethods handlers,
            Time time) {
        this.properties = properties;
        this.settings = settings;
        this.names = names;
        this.handlers = handlers;
        this.time = time;
    }

    Pipeline.Builder builderOn(EventStore store) {
        Pipeline.Builder builder = Pipeline.on(store)
                .service(names.service())
                .node(names.node())
                .time(time)
                .profile(properties.pipeline().toProfile())
                .policies(settings.eventPolicies())
                .automaticRedrive(properties.automaticRedrive().redrive())
                .causes(properties.causes().toGrouping());
        properties.events().budgets().forEach((pattern, name) -> builder.budget(pattern, settings.budget(name)));
        names.version().ifPresent(builder::version);
        properties.retention().toRetention().ifPresent(builder::retention);
        handlers.addTo(builder);
        return builder;
    }

    /** Builds a pipeline whose policies follow each {@link RedriveSettings#rebind()}. */
    Pipeline build(Pipeline.Builder builder) {
        Pipeline pipeline = builder.build();
        settings.onRebind(() -> pipeline.policies(settings.eventPolicies()));
        return pipeline;
    }

    /** Returns whether this process handles events: as set, or else when there is a handler or a customizer. */
    boolean runs(boolean customized) {
        return OptionalSetting.orDefault(properties.pipeline().enabled(), customized || !handlers.isEmpty());
    }

    /** The handler method of each pattern. */
    Map<String, String> handlers() {
        return new LinkedHashMap<>(handlers.byPattern());
    }
}
