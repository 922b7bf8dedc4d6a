package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedrivePlan;
import io.redrive.events.cause.ServiceVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes commands of proposals, with previews. Each command names its letters by id: letters that die later are no part of it. */
final class ProposalMaker {

    /** Letters come with payloads, so pages are small. */
    private static final int PAGE = 50;

    private final Desk desk;
    private final List<Long> ids = new ArrayList<>();
    private final List<ProposalPreview.Sample> samples = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    ProposalMaker(Desk desk) {
        this.desk = desk;
    }

    /** A command with its preview. */
    record Made(ProposedCommand command, ProposalPreview preview) {}

    Made repair(LetterSelection letters, RepairExpression expression) {
        LetterFilter filter = letters.frozenAt(desk.now());
        long limit = limit(filter, letters);
        RepairCounts counts = RepairCounts.NONE;
        for (List<DeadLetter> page = page(filter, 0, limit);
                !page.isEmpty();
                page = page(filter, lastOf(page), limit - counts.letters())) {
            for (DeadLetter letter : page) {
                RepairOutcome outcome = expression.apply(letter.event().payload());
                if (outcome instanceof RepairOutcome.Changed changed) {
                    ids.add(letter.id());
                    sample(letter, shown(letter, changed.payload()));
                } else if (outcome instanceof RepairOutcome.Failed failed && counts.failing() == 0) {
                    remarks.add("letter " + letter.id() + " fails and stays as it is: "
                            + desk.redaction().text(failed.reason(), letter.event()));
                }
                counts = counts.plus(RepairCounts.of(outcome));
            }
        }
        if (ids.isEmpty()) {
            throw new IllegalArgumentException(
                    "the expression must change at least one letter of the selection, got " + counts + also());
        }
        return new Made(
                new ProposedCommand.Repair(ids, letters.filter().describe(), expression.text()),
                new ProposalPreview(ids.size(), Optional.of(counts), samples, remarks));
    }

    Made redrive(LetterSelection letters, RedrivePlan plan) {
        boolean journal = desk.store().journal().since().isPresent();
        boolean includesOvertaken =
                letters.includesOvertaken() || letters.filter().overtaken().isPresent();
        boolean includesRedacted = letters.filter().redacted().isPresent();
        LetterFilter asked = letters.frozenAt(desk.now());
        LetterFilter filter = (journal && !includesOvertaken ? asked.withOvertaken(false) : asked).forRedrive();
        remarkLeftOut(asked, includesRedacted, journal && !includesOvertaken);
        long limit = Math.min(limit(filter, letters), plan.limit());
        for (List<DeadLetter> page = page(filter, 0, limit);
                !page.isEmpty();
                page = page(filter, lastOf(page), limit - ids.size())) {
            page.forEach(letter -> {
                ids.add(letter.id());
                sample(letter, "");
            });
        }
        if (ids.isEmpty()) {
            throw new IllegalArgumentException("the selection must have at least one letter to redrive, got none ("
                    + asked.describe() + ")" + also());
        }
        return new Made(
                new ProposedCommand.Redrive(
                        ids, letters.filter().describe(), plan, includesOvertaken, includesRedacted),
                new ProposalPreview(ids.size(), Optional.empty(), samples, remarks));
    }

    private String also() {
        return remarks.isEmpty() ? "" : "; " + String.join("; ", remarks);
    }

    private void remarkLeftOut(LetterFilter asked, boolean includesRedacted, boolean leavesOvertaken) {
        DeadLetters letters = desk.store().deadLetters();
        long redacted = includesRedacted ? 0 : letters.count(asked.withRedacted(LetterFilter.Redacted.ONLY));
        long overtaken = leavesOvertaken ? letters.count(asked.withOvertaken(true)) : 0;
        if (redacted > 0) {
            remarks.add(redacted + " letters with redacted parts are left out");
        }
        if (overtaken > 0) {
            remarks.add(overtaken + " letters are left out, which a newer event of their key has overtaken");
        }
    }

    Made resolve(String fingerprint, Optional<ServiceVersion> fixedIn) {
        CauseView cause = new StoredCauses(desk)
                .find(fingerprint)
                .orElseThrow(() -> new IllegalArgumentException("no cause has the fingerprint '" + fingerprint + "'"));
        remarks.add("the cause is " + cause.status().code() + "; its dead letters stay dead until a redrive");
        return new Made(
                new ProposedCommand.Resolve(fingerprint, fixedIn),
                new ProposalPreview(cause.letters(), Optional.empty(), List.of(), remarks));
    }

    /** Returns the number of letters to take; refuses more than a proposal may have. */
    private long limit(LetterFilter filter, LetterSelection letters) {
        if (letters.limit() <= ProposalOperations.MAX_LETTERS) {
            return letters.limit();
        }
        long count = desk.store().deadLetters().count(filter);
        if (count > ProposalOperations.MAX_LETTERS) {
            throw new IllegalArgumentException("a proposal must have at most " + ProposalOperations.MAX_LETTERS
                    + " letters, got " + count + "; narrow the selection, or limit it to its oldest letters");
        }
        return count;
    }

    private List<DeadLetter> page(LetterFilter filter, long after, long room) {
        return room < 1 ? List.of() : desk.store().deadLetters().list(filter, after, (int) Math.min(PAGE, room));
    }

    private static long lastOf(List<DeadLetter> page) {
        return page.get(page.size() - 1).id();
    }

    private void sample(DeadLetter letter, String after) {
        if (samples.size() < ProposalPreview.MAX_SAMPLES) {
            samples.add(new ProposalPreview.Sample(
                    letter.id(),
                    letter.event().name(),
                    cut(desk.redaction().text(letter.lastError(), letter.event())),
                    shown(letter, letter.event().payload()),
                    after));
        }
    }

    private String shown(DeadLetter letter, byte[] payload) {
        byte[] redacted = desk.redaction().payload(payload, letter.event().contentType());
        return cut(new String(redacted, StandardCharsets.UTF_8));
    }

    /** Returns the beginning of a text; a pair of surrogates is not cut in two. */
    static String cut(String text) {
        int most = ProposalPreview.MAX_TEXT;
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "… (" + text.length() + " characters)";
    }
}
