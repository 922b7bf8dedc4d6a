package io.redrive.items.run;

import io.redrive.core.Time;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunStore;
import org.jspecify.annotations.Nullable;

/** What the session makes for a coordinator under one lease; the intake is null when this process has no source. */
record CoordinatorParts(
        RunStore store,
        Lease lease,
        RunSettings settings,
        Time time,
        ItemPipeline<?, ?> pipeline,
        @Nullable Intake<?> intake,
        Workers workers,
        Recorder<?> recorder,
        Announcer announcer,
        Ledger ledger,
        Judge judge,
        SinkOrder sinkOrder) {}
