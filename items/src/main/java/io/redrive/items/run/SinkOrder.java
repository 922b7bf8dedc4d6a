package io.redrive.items.run;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The order in which samples that are through all stages go to the sink. Used by the coordinator only. */
interface SinkOrder {

    /** Each sample goes to the sink as soon as it is through. */
    SinkOrder AS_THEY_COME = new SinkOrder() {
        @Override
        public void arrived(Sample sample) {
            // No sample waits for another.
        }

        @Override
        public List<Sample> through(Sample sample) {
            return List.of(sample);
        }

        @Override
        public List<Sample> gone(Sample sample) {
            return List.of();
        }
    };

    /** A sample came into this process. */
    void arrived(Sample sample);

    /** A sample is through all stages. Returns the samples that may go to the sink now, in order. */
    List<Sample> through(Sample sample);

    /** A sample ended without a result. Returns the samples that may go to the sink now, in order. */
    List<Sample> gone(Sample sample);

    /** True when samples wait for the samples before them. */
    default boolean isOrdered() {
        return this != AS_THEY_COME;
    }

    /**
     * Samples go to the sink in the order of the source. A sample that is through waits until every sample before it has its
     * end, and stays in the window meanwhile: a slow sample delays the source and does not fill the memory.
     */
    final class OfSource implements SinkOrder {
        private final TreeMap<Long, Sample> here = new TreeMap<>();
        private final int stages;

        OfSource(int stages) {
            this.stages = stages;
        }

        @Override
        public void arrived(Sample sample) {
            here.put(sample.ordinal(), sample);
        }

        @Override
        public List<Sample> through(Sample sample) {
            return next();
        }

        @Override
        public List<Sample> gone(Sample sample) {
            here.remove(sample.ordinal());
            return next();
        }

        private List<Sample> next() {
            List<Sample> next = new ArrayList<>();
            while (!here.isEmpty() && here.firstEntry().getValue().stage() == stages) {
                next.add(here.pollFirstEntry().getValue());
            }
            return next;
        }
    }
}
