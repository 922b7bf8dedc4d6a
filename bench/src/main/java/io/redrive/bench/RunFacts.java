package io.redrive.bench;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The circumstances of a run, which every line of the results repeats: without them a figure cannot be judged.
 *
 * @param quick whether the run was short and rough
 * @param at when the run began
 * @param machine processors, operating system and Java
 * @param load the load of the machine (one-minute average) when the run began; negative when unknown
 */
record RunFacts(boolean quick, Instant at, String machine, double load) {

    static RunFacts ofThisRun(boolean quick) {
        String machine = "%d cores, %s %s, Java %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        System.getProperty("java.version"));
        double load = java.lang.management.ManagementFactory.getOperatingSystemMXBean()
                .getSystemLoadAverage();
        return new RunFacts(quick, Instant.now().truncatedTo(ChronoUnit.SECONDS), machine, load);
    }

    /** Returns the line of a result. */
    String line(BenchResult result) {
        Map<String, Object> fields = new LinkedHashMap<>(result.fields());
        fields.put("quick", quick);
        fields.put("at", at.toString());
        fields.put("machine", machine);
        fields.put("load", Math.round(load * 10) / 10.0);
        return Json.write(fields);
    }
}
