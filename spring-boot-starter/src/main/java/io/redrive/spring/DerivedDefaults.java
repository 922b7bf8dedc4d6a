package io.redrive.spring;

import io.redrive.core.DurationText;
import io.redrive.core.Reason;
import io.redrive.pipeline.AlertThresholds;
import io.redrive.pipeline.AutomaticRedrive;
import io.redrive.pipeline.BatcherSettings;
import io.redrive.pipeline.Profile;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.util.unit.DataSize;

/**
 * The values which hold for absent settings whose default is no constant of {@link RedriveProperties}: most are those of the profile.
 * For people who read a configuration.
 */
public final class DerivedDefaults {

    private DerivedDefaults() {}

    /** Returns values by key without the prefix {@code redrive}; a setting that is not absent has the value which was set. */
    public static Map<String, String> of(RedriveProperties settings) {
        Map<String, String> values = new TreeMap<>();
        Profile profile = settings.pipeline().toProfile();
        values.put("pipeline.poll", DurationText.format(profile.poll()));
        values.put("pipeline.claim-size", String.valueOf(profile.claimSize()));
        values.put("pipeline.growth", String.valueOf(profile.growth()));
        values.put("pipeline.processors", String.valueOf(profile.processors()));
        values.put("pipeline.min-demand", String.valueOf(profile.minDemand()));
        values.put("pipeline.max-demand", String.valueOf(profile.maxDemand()));
        values.put("pipeline.lease", DurationText.format(profile.lease()));
        values.put("pipeline.time-limit", DurationText.format(profile.timeLimit()));
        values.put("pipeline.poison-after", String.valueOf(profile.poisonAfter()));
        values.put(
                "pipeline.stop-limit", DurationText.format(settings.pipeline().stopLimitOrDefault()));
        putBatcher(values, "pipeline.critical.", profile.critical());
        putBatcher(values, "pipeline.domain.", profile.domain());
        putAlerts(values, settings.alerts().toThresholds());
        if (settings.automaticRedrive().enabled()) {
            putRedrive(values, settings.automaticRedrive().redrive());
        }
        values.put("store.max-payload", size(settings.store().maxPayloadBytes()));
        values.put("store.key-retention", DurationText.format(settings.store().keyRetentionOrDefault()));
        return values;
    }

    private static String size(long bytes) {
        long mebibytes = bytes / DataSize.ofMegabytes(1).toBytes();
        return DataSize.ofMegabytes(mebibytes).toBytes() == bytes ? mebibytes + "MB" : bytes + "B";
    }

    private static void putBatcher(Map<String, String> values, String prefix, BatcherSettings batcher) {
        values.put(prefix + "handlers", String.valueOf(batcher.handlers()));
        values.put(prefix + "size", String.valueOf(batcher.size()));
        values.put(prefix + "timeout", DurationText.format(batcher.timeout()));
    }

    private static void putAlerts(Map<String, String> values, AlertThresholds alerts) {
        values.put("alerts.window", DurationText.format(alerts.window()));
        values.put("alerts.min-samples", String.valueOf(alerts.minSamples()));
        values.put("alerts.retry-rate", String.valueOf(alerts.retryRate()));
        values.put("alerts.dead-letters", String.valueOf(alerts.deadLetters()));
        values.put("alerts.timeout-rate", String.valueOf(alerts.timeoutRate()));
        values.put("alerts.dedup-rate", String.valueOf(alerts.dedupRate()));
        values.put("alerts.unhandled-age", DurationText.format(alerts.unhandledAge()));
    }

    private static void putRedrive(Map<String, String> values, AutomaticRedrive redrive) {
        values.put(
                "automatic-redrive.reasons",
                redrive.reasons().stream().map(Reason::code).sorted().collect(Collectors.joining(",")));
        values.put("automatic-redrive.after", DurationText.format(redrive.after()));
        values.put("automatic-redrive.times-per-letter", String.valueOf(redrive.timesPerLetter()));
        values.put("automatic-redrive.letters-per-minute", String.valueOf(redrive.lettersPerMinute()));
    }
}
