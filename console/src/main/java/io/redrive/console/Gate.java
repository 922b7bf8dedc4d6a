package io.redrive.console;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.StoreException;
import io.redrive.events.redaction.Redaction;
import io.redrive.items.store.RunStore;
import io.redrive.operations.NotPermittedException;
import io.redrive.operations.Operations;
import io.redrive.operations.ProposalRefusedException;
import io.redrive.operations.StoredOperations;
import java.time.Instant;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Lets requests through to pages: finds the operator, checks the form token of commands, and turns refusals into error pages. */
final class Gate {

    /**
     * What an error page says.
     *
     * @param title the kind of error
     * @param message what happened
     * @param next what to do next
     * @param link the page for the next step
     * @param label the words of the link
     */
    record Problem(String title, String message, String next, String link, String label) {

        Problem(String title, String message, String next) {
            this(title, message, next, "/", "To the overview");
        }
    }

    private static final System.Logger LOG = System.getLogger(Gate.class.getName());

    private final Mount mount;
    private final EventStore store;
    private final OperatorResolver operators;
    private final Time time;
    private final Redaction redaction;
    private final Renderer renderer;
    private final KnownFlows flows = new KnownFlows();

    Gate(Mount mount, EventStore store, OperatorResolver operators, Time time, Redaction redaction, Renderer renderer) {
        this.mount = mount;
        this.store = store;
        this.operators = operators;
        this.time = time;
        this.redaction = redaction;
        this.renderer = renderer;
    }

    /** Returns a handler that shows a page. */
    HandlerFunction<ServerResponse> page(Function<Visit, ServerResponse> page) {
        return request -> answer(visit(request), page);
    }

    /** Returns a handler that obeys a command: only a form of the console may give one. */
    HandlerFunction<ServerResponse> command(Function<Visit, ServerResponse> command) {
        return request -> answer(visit(request), visit -> {
            if (!visit.token().isIn(visit.servlet())) {
                throw Refusal.forbidden(
                        "The command did not come from a page of this console, or its page is older than your browser's cookies.",
                        "Nothing was changed. Go back, load the page again and repeat the command.");
            }
            return command.apply(visit);
        });
    }

    private Visit visit(ServerRequest request) {
        Instant now = time.now();
        StoredOperations operations = Operations.of(store, operators.operatorOf(request.servletRequest()), time)
                .showing(redaction)
                .withAlerts(mount.thresholds());
        RunStore runs = mount.runs().get();
        return new Visit(
                request, mount, runs == null ? operations : operations.withRuns(runs), now, flows.any(store, now));
    }

    private ServerResponse answer(Visit visit, Function<Visit, ServerResponse> page) {
        try {
            return page.apply(visit);
        } catch (Refusal e) {
            Problem problem =
                    new Problem(title(e.status()), String.valueOf(e.getMessage()), e.next(), e.link(), e.label());
            return renderer.html(e.status(), visit, "problem", problem);
        } catch (NotPermittedException e) {
            return problem(
                    visit,
                    HttpStatus.FORBIDDEN,
                    "Not permitted",
                    String.valueOf(e.getMessage()),
                    "Nothing was changed. Ask an administrator of the application for the role.");
        } catch (ProposalRefusedException e) {
            HttpStatus status = e.isMissing() ? HttpStatus.NOT_FOUND : HttpStatus.CONFLICT;
            return problem(visit, status, "Refused", String.valueOf(e.getMessage()), "Nothing was changed.");
        } catch (RedriveRefusedException e) {
            return refused(visit, e);
        } catch (IllegalArgumentException e) {
            return problem(
                    visit,
                    HttpStatus.BAD_REQUEST,
                    "That value cannot be used",
                    String.valueOf(e.getMessage()),
                    "Nothing was changed. Go back and correct the value.");
        } catch (StoreException e) {
            LOG.log(System.Logger.Level.WARNING, "the console could not read the store", e);
            return problem(
                    visit,
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "The store does not answer",
                    "The event store failed: " + e.getMessage(),
                    "Check the database of the application, then load this page again.");
        }
    }

    /** A second click, or a page that is older than another operator's command, ends here: the operation tells what happened. */
    private ServerResponse refused(Visit visit, RedriveRefusedException refused) {
        Problem problem = new Problem(
                "Refused",
                String.valueOf(refused.getMessage()),
                "This command changed nothing. The operation shows what has been sent so far.",
                "/operations/" + Query.encoded(refused.operation()),
                "Show the operation");
        return renderer.html(HttpStatus.CONFLICT, visit, "problem", problem);
    }

    private static String title(HttpStatus status) {
        return switch (status) {
            case NOT_FOUND -> "Not found";
            case FORBIDDEN -> "Refused";
            default -> "That cannot be done here";
        };
    }

    private ServerResponse problem(Visit visit, HttpStatus status, String title, String message, String next) {
        return renderer.html(status, visit, "problem", new Problem(title, message, next));
    }
}
