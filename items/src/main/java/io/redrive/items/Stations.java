package io.redrive.items;

import io.redrive.core.Time;

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
