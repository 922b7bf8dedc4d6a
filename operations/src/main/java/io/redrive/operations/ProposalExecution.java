package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterVersion;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadChange;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.RedriveState;
import io.redrive.events.Redrives;
import io.redrive.events.cause.CauseChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Carries the command of an approved proposal out, so that repeating it changes nothing: two consoles may approve at the same moment, and
 * an approval that was interrupted is repeated. The id of the command is made of the number of the proposal. The record of actions
 * has one row for it, with the name of the approver and, in its description, the name of the proposer.
 *
 * <ul>
 *   <li>A redrive is an operation with the id of the command. The store begins and starts an operation once.
 *   <li>A repair leaves a version of each payload with the id of the command. A letter with such a version was repaired, and is left
 *       alone, as is a letter that was edited after the proposal was made. The change of a payload compares it with the payload that
 *       the repair was computed from.
 * </ul>
 */
final class ProposalExecution {

    private static final int PAGE = 50;

    private final Desk desk;
    private final Proposal proposal;
    private final OperatorCommand command;

    ProposalExecution(Desk desk, Proposal proposal, ProposalState.Decision approval) {
        this.desk = desk;
        this.proposal = proposal;
        Operator proposer = proposal.proposer();
        String about = "proposal " + proposal.number() + " of '" + proposer.name() + "' ("
                + proposer.role().code() + "): " + proposal.command().describe();
        command = new OperatorCommand(
                "r-proposal-" + proposal.number(),
                approval.by(),
                approval.origin(),
                desk.redaction().text(about));
    }

    /**
     * Carries the command out.
     *
     * @return the outcome in words
     * @throws RedriveRefusedException when a letter is pending in another redrive
     * @throws IllegalArgumentException when the letters or the cause are gone
     */
    String run() {
        ProposedCommand asked = proposal.command();
        if (asked instanceof ProposedCommand.Redrive redrive) {
            return redrive(redrive);
        }
        return asked instanceof ProposedCommand.Repair repair
                ? repair(repair)
                : resolve((ProposedCommand.Resolve) asked);
    }

    private String redrive(ProposedCommand.Redrive asked) {
        LetterFilter letters = LetterFilter.ofIds(asked.letters());
        if (asked.includesRedacted()) {
            letters = letters.withRedacted(LetterFilter.Redacted.INCLUDED);
        }
        if (!asked.includesOvertaken() && desk.store().journal().since().isPresent()) {
            letters = letters.withOvertaken(false);
        }
        Redrives redrives = desk.store().redrives();
        RedriveOrder order = new RedriveOrder(letters, asked.plan(), command);
        RedriveOperation operation = redrives.preview(order, desk.now());
        if (operation.counts().selected() == 0) {
            throw new IllegalArgumentException("none of the " + asked.letters().size()
                    + " letters is left to redrive: redriven, purged or overtaken meanwhile");
        }
        if (operation.state() instanceof RedriveState.Previewed) {
            operation = started(redrives, operation);
        }
        return "redrive operation " + operation.id() + " with "
                + operation.counts().selected() + " of " + asked.letters().size() + " letters";
    }

    /** Starts an operation that another console may start at the same moment. */
    private RedriveOperation started(Redrives redrives, RedriveOperation previewed) {
        try {
            return redrives.change(previewed.id(), RedriveChange.START, command, desk.now());
        } catch (RedriveRefusedException e) {
            return redrives.find(previewed.id())
                    .filter(found -> !(found.state() instanceof RedriveState.Previewed))
                    .orElseThrow(() -> e);
        }
    }

    private String repair(ProposedCommand.Repair asked) {
        RepairExpression expression = RepairExpression.compile(asked.expression());
        List<Long> ids = asked.letters();
        RepairCounts counts = RepairCounts.NONE;
        for (int from = 0; from < ids.size(); from += PAGE) {
            List<Long> some = ids.subList(from, Math.min(ids.size(), from + PAGE));
            counts = counts.plus(repairPage(some, expression));
        }
        desk.record(command, Verb.REPAIR, counts.toString());
        return counts.toString();
    }

    private RepairCounts repairPage(List<Long> ids, RepairExpression expression) {
        DeadLetters letters = desk.store().deadLetters();
        List<DeadLetter> page = letters.list(LetterFilter.ofIds(ids), 0, PAGE);
        List<PayloadChange> changes = new ArrayList<>();
        RepairCounts counts = new RepairCounts(0, 0, 0, ids.size() - page.size());
        for (DeadLetter letter : page) {
            if (letter.originalPayload().isPresent() && wasRepaired(letter.id())) {
                counts = counts.plus(new RepairCounts(1, 0, 0, 0));
            } else if (letter.originalPayload().isPresent() && wasChangedSince(letter.id())) {
                counts = counts.plus(new RepairCounts(0, 0, 0, 1));
            } else if (expression.apply(letter.event().payload()) instanceof RepairOutcome.Changed changed) {
                changes.add(new PayloadChange(letter.id(), letter.event().payload(), changed.payload()));
            } else {
                // The expression changed this payload for the preview: it has no time, or the payload was redacted
                // meanwhile.
                counts = counts.plus(new RepairCounts(0, 0, 1, 0));
            }
        }
        Set<Long> changed = letters.replace(changes, Verb.REPAIR.code(), command, desk.now());
        long alsoRepaired = changes.stream()
                .filter(change -> !changed.contains(change.letter()))
                .filter(change -> wasRepaired(change.letter()))
                .count();
        long repaired = changed.size() + alsoRepaired;
        return counts.plus(new RepairCounts(repaired, 0, 0, changes.size() - repaired));
    }

    /** Returns true when this very proposal repaired the letter: in an interrupted approval, or from another console. */
    private boolean wasRepaired(long letter) {
        return desk.store().deadLetters().versions(letter).stream()
                .anyMatch(version -> version.command().equals(command.id()));
    }

    private boolean wasChangedSince(long letter) {
        return desk.store().deadLetters().versions(letter).stream()
                .map(LetterVersion::at)
                .anyMatch(at -> at.isAfter(proposal.asked()));
    }

    private String resolve(ProposedCommand.Resolve asked) {
        return desk.store()
                .deadLetters()
                .causes()
                .change(asked.fingerprint(), new CauseChange.Resolve(asked.fixedIn()), command, desk.now())
                .map(cause -> "cause " + cause.fingerprint() + " is resolved")
                .orElseThrow(() ->
                        new IllegalArgumentException("no cause has the fingerprint '" + asked.fingerprint() + "'"));
    }
}
