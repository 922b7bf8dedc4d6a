package io.redrive.cli.command;

import io.redrive.core.DurationText;
import java.time.Duration;

/** A duration that an option names, such as {@code 30m}. */
public final class DurationOption {

    private DurationOption() {}

    /**
     * Returns the duration.
     *
     * @throws IllegalArgumentException naming the option, when the text is no duration
     */
    public static Duration parse(String option, String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }
}
