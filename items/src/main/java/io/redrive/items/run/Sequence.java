package io.redrive.items.run;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** In which order samples that are through go to the sink. Used by the coordinator only. */
interface Sequence {

    /** As they come. */
    Sequence UNORDERED = new Sequence() {
        @Override
        public void arrived(Sample sample) {
            // Nobody waits for it.
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

    /** A sample is through all stages; those that may go to the sink now, in order. */
    List<Sample> through(Sample sample);

    /** A sample ended without a result; those that may go to the sink now, in order. */
    List<Sample> gone(Sample sample);

    /** True when results wait for others before them. */
    default boolean isOrdered() {
        return this != UNORDERED;
    }

    /**
     * In the order of the source. A result waits until every sample before it has its end; it stays in the window
     * meanwhile, so a sample that is long in coming holds up the source and not the memory.
     */
    final class Ordered implements Sequence {
        private final TreeMap<Long, Sample> here = new TreeMap<>();
        private final int stages;

        Ordered(int stages) {
            this.stages = stages;
        }

        @Override
        public void arrived(Sample sample) {
            here.put(sample.ordinal, sample);
        }

        @Override
        public List<Sample> through(Sample sample) {
            return next();
        }

        @Override
        public List<Sample> gone(Sample sample) {
            here.remove(sample.ordinal);
            return next();
        }

        private List<Sample> next() {
            List<Sample> next = new ArrayList<>();
            while (!here.isEmpty() && here.firstEntry().getValue().stage == stages) {
                next.add(here.pollFirstEntry().getValue());
            }
            return next;
        }
    }
}
