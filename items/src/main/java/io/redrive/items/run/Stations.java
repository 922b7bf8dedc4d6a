package io.redrive.items.run;

import io.redrive.core.Time;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunStore;

/** What a coordinator is made of; the intake is null when there is no source here. */
record Stations(
        RunStore store,
        Lease lease,
        RunSettings settings,
        Time time,
        ItemPipeline<?, ?> pipeline,
        Intake<?> intake,
        Workers workers,
        Recorder<?> recorder,
        Announcer announcer,
        Ledger ledger,
        Judge judge,
        Sequence sequence) {}
