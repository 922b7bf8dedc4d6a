package io.redrive.console;

import io.redrive.events.LetterFilter;
import io.redrive.operations.LineDiff;
import io.redrive.operations.Proposal;
import io.redrive.operations.ProposalOperations;
import io.redrive.operations.ProposalPreview;
import io.redrive.operations.ProposalState;
import io.redrive.operations.ProposedCommand;
import io.redrive.operations.Verb;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.web.servlet.function.ServerResponse;

/** Lists the commands that assistants ask for, and lets a person approve or reject each of them. */
final class ProposalsPage {

    /** The most waiting proposals that another page shows. */
    static final int WAITING = 20;

    private static final int LISTED = 100;
    private static final int FIRST_LETTERS = 100;
    private static final String OPERATION = "r-proposal-";

    /**
     * The list.
     *
     * @param proposals the proposals, the newest first
     * @param all true when decided proposals are listed too
     */
    record Listing(List<Proposal> proposals, boolean all) {

        /** Returns the first line of the page. */
        String inWords() {
            long open = proposals.stream().filter(Proposal::isOpen).count();
            return switch ((int) Math.min(2, open)) {
                case 0 -> "No proposal waits for a decision.";
                case 1 -> "1 proposal waits for a decision.";
                default -> Format.number(open) + " proposals wait for a decision.";
            };
        }
    }

    /**
     * A letter of the preview.
     *
     * @param letter the letter as the proposer saw it
     * @param lines the difference that a repair would make; empty for a redrive
     */
    record Sample(ProposalPreview.Sample letter, List<LineDiff.Line> lines) {}

    /**
     * One proposal.
     *
     * @param proposal the proposal
     * @param samples the first letters of its preview
     */
    record View(Proposal proposal, List<Sample> samples) {

        /** Returns why this operator may not approve; empty when the operator may. */
        String whyNot(Visit visit) {
            String approve = visit.whyNot(Verb.APPROVE);
            return approve.isEmpty() ? visit.whyNot(proposal.command().verb()) : approve;
        }
    }

    private final Renderer renderer;

    ProposalsPage(Renderer renderer) {
        this.renderer = renderer;
    }

    /** Returns the proposals that wait for a decision, the newest first. */
    static List<Proposal> waiting(Visit visit) {
        return visit.operations().proposals().list(true, Long.MAX_VALUE, WAITING);
    }

    /** Returns the waiting proposals about a cause: its resolution, or a command whose first letters have this cause. */
    static List<Proposal> about(Visit visit, String fingerprint) {
        return waiting(visit).stream()
                .filter(proposal -> proposal.command() instanceof ProposedCommand.Resolve resolve
                        ? resolve.fingerprint().equals(fingerprint)
                        : hasCause(visit, proposal.command(), fingerprint))
                .toList();
    }

    private static boolean hasCause(Visit visit, ProposedCommand command, String fingerprint) {
        List<Long> first = command.letters().stream().limit(FIRST_LETTERS).toList();
        LetterFilter filter = LetterFilter.ofIds(first).withFingerprint(fingerprint);
        return !visit.operations().letters().newest(filter, Long.MAX_VALUE, 1).isEmpty();
    }

    /** Returns in a few words what a proposal asks for. */
    static String asks(Proposal proposal) {
        ProposedCommand command = proposal.command();
        return command instanceof ProposedCommand.Resolve
                ? command.describe()
                : command.verb().code() + " " + Format.counted(command.letters().size(), "letter");
    }

    /** Returns the path of the proposal that a redrive operation carries out; empty for an operation of a person. */
    static String pathOf(String operation) {
        String number = operation.startsWith(OPERATION) ? operation.substring(OPERATION.length()) : "";
        return number.matches("\\d{1,18}") ? "/proposals/" + number : "";
    }

    /** Returns the path of the operation that a proposal became; empty for a command without an operation. */
    static String operationOf(Proposal proposal) {
        boolean redriven = proposal.command() instanceof ProposedCommand.Redrive
                && proposal.state() instanceof ProposalState.Approved;
        return redriven ? "/operations/" + OPERATION + proposal.number() : "";
    }

    static String style(Proposal proposal) {
        return switch (proposal.state().code()) {
            case "open" -> "badge act";
            case "approved" -> "badge good";
            case "failed" -> "badge bad";
            default -> "badge";
        };
    }

    ServerResponse list(Visit visit) {
        boolean all = visit.param("show").equals("all");
        List<Proposal> proposals = visit.operations().proposals().list(!all, Long.MAX_VALUE, LISTED);
        return renderer.html(visit, "proposals", new Listing(proposals, all));
    }

    ServerResponse show(Visit visit) {
        Proposal proposal = visit.operations()
                .proposals()
                .find(number(visit))
                .orElseThrow(() -> Refusal.missing(
                                "No proposal has this number.",
                                "Proposals are forgotten some time after their decision; the record keeps what was done.")
                        .leadingTo("/record", "Show the record"));
        List<Sample> samples = proposal.preview().samples().stream()
                .map(sample -> new Sample(
                        sample,
                        sample.after().isEmpty()
                                ? List.of()
                                : LineDiff.of(text(sample.before()), text(sample.after()))))
                .toList();
        return renderer.html(visit, "proposal", new View(proposal, samples));
    }

    /** Indents JSON, so that a difference is a line. A text that was cut is no JSON and stays as it is. */
    private static String text(String payload) {
        return PayloadView.text(payload.getBytes(StandardCharsets.UTF_8), "application/json");
    }

    private static long number(Visit visit) {
        String text = visit.path("number");
        if (!text.matches("\\d{1,18}")) {
            throw Refusal.wrong("A proposal has a number, got " + Format.brief(text, 40) + ".", "Go back to the list.");
        }
        return Long.parseLong(text);
    }

    ServerResponse command(Visit visit) {
        ProposalOperations proposals = visit.operations().proposals();
        long number = number(visit);
        String command = visit.path("command");
        return switch (command) {
            case "approve" -> decided(visit, proposals.approve(number));
            case "reject" -> decided(visit, proposals.reject(number, visit.param("reason")));
            default ->
                throw Refusal.missing(
                        "No command is called " + Format.brief(command, 40) + ".", "Go back to the proposal.");
        };
    }

    private static ServerResponse decided(Visit visit, Proposal proposal) {
        String outcome = proposal.state()
                .decision()
                .map(ProposalState.Decision::text)
                .filter(text -> !text.isEmpty())
                .map(text -> ": " + text)
                .orElse("");
        return Renderer.redirect(
                visit,
                "/proposals/" + proposal.number(),
                "Proposal " + proposal.number() + " is " + proposal.state().code() + outcome + ".");
    }
}
