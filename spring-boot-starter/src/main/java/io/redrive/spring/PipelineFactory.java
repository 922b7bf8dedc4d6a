package io.redrive.spring;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.pipeline.Pipeline;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the settings and the annotated handlers make of a pipeline. */
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
                .alerts(properties.alerts().thresholds())
                .automaticRedrive(properties.automaticRedrive().redrive());
        properties.events().budgets().forEach((pattern, name) -> builder.budget(pattern, settings.budget(name)));
        handlers.addTo(builder);
        return builder;
    }

    /** The pipeline, which follows the settings when they are read anew. */
    Pipeline build(Pipeline.Builder builder) {
        Pipeline pipeline = builder.build();
        settings.onRebind(() -> pipeline.policies(settings.eventPolicies()));
        return pipeline;
    }

    /** Which patterns are handled by whom. */
    Map<String, String> handlers() {
        return new LinkedHashMap<>(handlers.byPattern());
    }
}
