package io.redrive.operations;

import io.redrive.events.OperatorCommand;
import io.redrive.events.Proposals;
import io.redrive.events.Proposals.StoredProposal;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.operations.ProposalState.Decision;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Proposals on a store. */
final class StoredProposals implements ProposalOperations {

    /** The most open proposals of one operator: one assistant must not take the room of all others. */
    static final int MAX_OPEN_EACH = 20;

    private static final String JSON = "application/json";

    private final Desk desk;

    StoredProposals(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Proposal repair(LetterSelection letters, RepairExpression expression, String why) {
        desk.permitted(Verb.PROPOSE);
        requireReason("why", why);
        return propose(new ProposalMaker(desk).repair(letters, expression), why);
    }

    @Override
    public Proposal redrive(LetterSelection letters, RedrivePlan plan, String why) {
        desk.permitted(Verb.PROPOSE);
        requireReason("why", why);
        return propose(new ProposalMaker(desk).redrive(letters, plan), why);
    }

    @Override
    public Proposal resolve(String fingerprint, Optional<ServiceVersion> fixedIn, String why) {
        desk.permitted(Verb.PROPOSE);
        requireReason("why", why);
        return propose(new ProposalMaker(desk).resolve(fingerprint, fixedIn), why);
    }

    private static void requireReason(String field, String text) {
        if (text.isBlank() || text.length() > MAX_REASON) {
            throw new IllegalArgumentException(
                    field + " must be 1 to " + MAX_REASON + " characters, for the person who reads it; got "
                            + text.strip().length());
        }
    }

    private Proposal propose(ProposalMaker.Made made, String why) {
        Proposals store = desk.store().proposals();
        closeExpired(store);
        List<Proposal> mine = open(store).stream()
                .filter(each -> each.proposer().name().equals(desk.operator().name()))
                .toList();
        Optional<Proposal> asked = mine.stream()
                .filter(each -> each.command().equals(made.command()))
                .findFirst();
        if (asked.isPresent()) {
            return shown(asked.get());
        }
        if (mine.size() >= MAX_OPEN_EACH) {
            throw tooMany(MAX_OPEN_EACH, "proposals of '" + desk.operator().name() + "'");
        }
        Instant now = Desk.inSeconds(desk.now());
        Proposal proposal = new Proposal(
                0,
                made.command(),
                desk.redaction().text(wellFormed(why)),
                desk.operator(),
                now,
                now.plus(KEPT_OPEN),
                made.preview(),
                new ProposalState.Open());
        StoredProposal stored =
                store.add(ProposalContent.write(proposal)).orElseThrow(() -> tooMany(Proposals.MAX_OPEN, "proposals"));
        record(Verb.PROPOSE, ProposalContent.read(stored), "open");
        return shown(ProposalContent.read(stored));
    }

    private static IllegalArgumentException tooMany(int most, String what) {
        return new IllegalArgumentException(
                "at most " + most + " " + what + " may be open; approve, reject or withdraw some of them first");
    }

    /** Replaces halves of surrogate pairs, which no store can keep. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private void closeExpired(Proposals store) {
        for (StoredProposal stored : store.newest(true, Long.MAX_VALUE, Proposals.MAX_PAGE)) {
            Proposal seen = ProposalContent.read(stored).at(desk.now());
            if (!seen.isOpen()) {
                store.write(stored.with(false, ProposalContent.write(seen)));
            }
        }
    }

    private static List<Proposal> open(Proposals store) {
        return store.newest(true, Long.MAX_VALUE, Proposals.MAX_PAGE).stream()
                .map(ProposalContent::read)
                .toList();
    }

    @Override
    public Optional<Proposal> find(long number) {
        return desk.read().proposals().find(number).map(ProposalContent::read).map(this::shown);
    }

    @Override
    public List<Proposal> list(boolean openOnly, long before, int limit) {
        return desk.read().proposals().newest(openOnly, before, limit).stream()
                .map(ProposalContent::read)
                .map(this::shown)
                .filter(proposal -> proposal.isOpen() || !openOnly)
                .toList();
    }

    @Override
    public Proposal approve(long number) {
        desk.permitted(Verb.APPROVE);
        Proposal approved = change(number, proposal -> {
            desk.permitted(proposal.command().verb());
            return proposal.state() instanceof ProposalState.Approved
                    ? proposal
                    : requireOpen(proposal).in(new ProposalState.Approved(decision("")));
        });
        Decision approval = approved.state().decision().orElseThrow();
        return approval.text().isEmpty() ? carryOut(approved, approval) : shown(approved);
    }

    private Proposal carryOut(Proposal approved, Decision approval) {
        ProposalState end;
        try {
            end = new ProposalState.Approved(ended(approval, new ProposalExecution(desk, approved, approval).run()));
        } catch (RedriveRefusedException | IllegalArgumentException e) {
            end = new ProposalState.Failed(ended(approval, String.valueOf(e.getMessage())));
        }
        ProposalState reached = end;
        Proposal ended = change(
                approved.number(),
                proposal -> proposal.state()
                                .decision()
                                .map(Decision::text)
                                .orElse("")
                                .isEmpty()
                        ? proposal.in(reached)
                        : proposal);
        record(Verb.APPROVE, ended, ended.state().code());
        return shown(ended);
    }

    private static Decision ended(Decision approval, String outcome) {
        return new Decision(approval.by(), approval.origin(), approval.at(), outcome);
    }

    @Override
    public Proposal reject(long number, String reason) {
        desk.permitted(Verb.REJECT);
        requireReason("reason", reason);
        Proposal rejected =
                change(number, proposal -> requireOpen(proposal).in(new ProposalState.Rejected(decision(reason))));
        record(Verb.REJECT, rejected, reason);
        return shown(rejected);
    }

    @Override
    public Proposal withdraw(long number, String reason) {
        desk.permitted(Verb.WITHDRAW);
        if (!reason.isEmpty()) {
            requireReason("reason", reason);
        }
        Proposal withdrawn = change(number, proposal -> {
            if (!proposal.proposer().name().equals(desk.operator().name())) {
                throw new ProposalRefusedException(
                        number,
                        "only '" + proposal.proposer().name() + "', who made proposal " + number
                                + ", may withdraw it; reject it instead");
            }
            return requireOpen(proposal).in(new ProposalState.Withdrawn(decision(reason)));
        });
        record(Verb.WITHDRAW, withdrawn, reason);
        return shown(withdrawn);
    }

    private Decision decision(String text) {
        return new Decision(
                desk.operator().name(),
                desk.operator().origin(),
                Desk.inSeconds(desk.now()),
                desk.redaction().text(wellFormed(text)));
    }

    private static Proposal requireOpen(Proposal proposal) {
        if (!proposal.isOpen()) {
            String by = proposal.state()
                    .decision()
                    .map(decision -> " by '" + decision.by() + "' at " + decision.at() + ": " + decision.text())
                    .orElse("");
            throw new ProposalRefusedException(
                    proposal.number(),
                    "proposal " + proposal.number() + " must be open, it is "
                            + proposal.state().code() + by + "; ask for a new proposal");
        }
        return proposal;
    }

    /** Applies a change to the newest version of a proposal; repeats when another caller was faster. */
    private Proposal change(long number, Function<Proposal, Proposal> change) {
        Proposals store = desk.store().proposals();
        while (true) {
            StoredProposal stored = store.find(number).orElseThrow(() -> ProposalRefusedException.missing(number));
            Proposal before = ProposalContent.read(stored).at(desk.now());
            Proposal after = change.apply(before);
            if (after.equals(before) || store.write(stored.with(after.isOpen(), ProposalContent.write(after)))) {
                return after;
            }
        }
    }

    private void record(Verb verb, Proposal proposal, String outcome) {
        String about = "proposal " + proposal.number() + " of '"
                + proposal.proposer().name() + "': " + proposal.command().describe();
        // One row for each change of a proposal, also when an interrupted approval is repeated.
        OperatorCommand command = new OperatorCommand(
                verb.code() + "-proposal-" + proposal.number(),
                desk.operator().name(),
                desk.operator().origin(),
                desk.redaction().text(about));
        desk.record(command, verb, desk.redaction().text(outcome));
    }

    /** Returns a proposal as this operator sees it: redacted again, because the proposer may have had other rules. */
    private Proposal shown(Proposal stored) {
        Proposal proposal = stored.at(desk.now());
        ProposalPreview preview = proposal.preview();
        List<ProposalPreview.Sample> samples = preview.samples().stream()
                .map(sample -> new ProposalPreview.Sample(
                        sample.letter(),
                        sample.name(),
                        desk.redaction().text(sample.error()),
                        payload(sample.before()),
                        payload(sample.after())))
                .toList();
        return new Proposal(
                proposal.number(),
                proposal.command(),
                desk.redaction().text(proposal.why()),
                proposal.proposer(),
                proposal.asked(),
                proposal.expires(),
                new ProposalPreview(preview.letters(), preview.effect(), samples, preview.remarks()),
                proposal.state());
    }

    private String payload(String text) {
        return text.isEmpty()
                ? text
                : new String(
                        desk.redaction().payload(text.getBytes(StandardCharsets.UTF_8), JSON), StandardCharsets.UTF_8);
    }
}
