package io.redrive.console;

import io.redrive.operations.policy.FailureSample;
import io.redrive.operations.policy.PolicyReplay;
import io.redrive.operations.policy.ReplayedEnd;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Says what a replay of policies found, and how far the findings reach. */
final class ReplayWords {

    private ReplayWords() {}

    /** Returns the findings in one sentence. */
    static String sentence(PolicyReplay replay) {
        if (replay.replayed() == 0) {
            return "No failure of the last day could be replayed.";
        }
        return "Of " + Format.counted(replay.replayed(), "event") + " that failed: "
                + Arrays.stream(ReplayedEnd.values())
                        .filter(end -> replay.count(end) > 0)
                        .map(end -> Format.number(replay.count(end)) + " " + end.words())
                        .collect(Collectors.joining(", "))
                + ".";
    }

    /** Returns how the findings compare with the record when nothing is changed. */
    static String reproduced(PolicyReplay replay) {
        return "Replayed the same way, the policy in force now gives the recorded end for "
                + Format.number(replay.reproduced()) + " of " + Format.counted(replay.replayed(), "event")
                + (replay.reproduced() == replay.replayed()
                        ? "."
                        : ": the others failed under another policy, or a handler, a server or a late start changed their waits.");
    }

    static String letters(FailureSample sample) {
        if (sample.letters() == 0) {
            return "no dead letter, because none of these names was given up in the last day";
        }
        return sample.allLetters()
                ? "all " + Format.counted(sample.letters(), "dead letter") + " of the last day"
                : "the newest " + Format.counted(sample.letters(), "dead letter") + "; the last day has more";
    }

    static boolean hasJournal(FailureSample sample) {
        return sample.finishedSince().isBefore(sample.until());
    }
}
