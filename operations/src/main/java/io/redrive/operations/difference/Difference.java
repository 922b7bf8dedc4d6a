package io.redrive.operations.difference;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A trait that many letters have and few handled events, or the other way round.
 *
 * @param subject the part of the events
 * @param trait the statement about that part
 * @param letters the letters with the trait
 * @param handled the handled events with the trait
 */
public record Difference(Subject subject, Trait trait, Share letters, Share handled) {

    /** Returns the distance of the shares, from 0 to 1. */
    public double strength() {
        return Math.abs(letters.rate() - handled.rate());
    }

    /** Returns the difference in words: {@code all 412 letters have /currency = "XBT"; of 1,000 handled events none}. */
    public String sentence() {
        return counted() + " " + statement() + "; of " + number(handled.of())
                + (handled.of() == 1 ? " handled event " : " handled events ")
                + (handled.having() == 0 ? "none" : handled.having() == handled.of() ? "all" : number(handled.having()))
                + silent();
    }

    private String statement() {
        if (subject.kind() == Subject.Kind.TIME) {
            return (trait.kind() == Trait.Kind.ABOVE ? "died after " : "died before or at ") + trait.value();
        }
        if (subject.kind() == Subject.Kind.HOUR) {
            return "died between " + trait.value();
        }
        String have = letters.having() <= 1 ? "has " : "have ";
        return trait.kind() == Trait.Kind.ABSENT
                ? have + "no " + subject.words()
                : have + (subject.words() + " " + trait.words()).strip();
    }

    private String counted() {
        long of = letters.of();
        if (of == 1) {
            return letters.having() == 1 ? "the letter" : "no letter";
        }
        if (letters.having() == of) {
            return "all " + number(of) + " letters";
        }
        return letters.having() == 0
                ? "none of " + number(of) + " letters"
                : number(letters.having()) + " of " + number(of) + " letters";
    }

    /** Returns how many documents tell nothing about the subject, in brackets; empty when all tell. */
    private String silent() {
        List<String> unknown = new ArrayList<>();
        if (letters.unknown() > 0) {
            unknown.add(number(letters.unknown()) + (letters.unknown() == 1 ? " letter" : " letters"));
        }
        if (handled.unknown() > 0) {
            unknown.add(number(handled.unknown()) + (handled.unknown() == 1 ? " handled event" : " handled events"));
        }
        return unknown.isEmpty() ? "" : " (unknown for " + String.join(" and ", unknown) + ")";
    }

    static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
