package io.redrive.console;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.redaction.Redaction;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The addresses of the console, one line for each. */
final class ConsoleRoutes {

    private static final Duration KEPT = Duration.ofDays(365);

    private final Mount mount;
    private final Renderer renderer = new Renderer();
    private final Gate gate;
    private final RouterFunctions.Builder routes = RouterFunctions.route();

    ConsoleRoutes(Mount mount, EventStore store, OperatorResolver operators, Time time, Redaction redaction) {
        this.mount = mount;
        gate = new Gate(mount, store, operators, time, redaction, renderer);
    }

    RouterFunction<ServerResponse> routes() {
        OverviewPage overview = new OverviewPage(renderer);
        LettersPage letters = new LettersPage(renderer);
        LetterPage letter = new LetterPage(renderer);
        RedrivePage redrive = new RedrivePage(renderer);
        OperationsPage operations = new OperationsPage(renderer);
        CausesPage causes = new CausesPage(renderer);
        CausePage cause = new CausePage(renderer);
        RepairPage repair = new RepairPage(renderer);
        PausesPage pauses = new PausesPage(renderer);
        RecordPage record = new RecordPage(renderer);
        WebhooksPage webhooks = new WebhooksPage(renderer);

        if (!mount.prefix().isEmpty()) {
            routes.GET(mount.prefix(), gate.page(overview::show));
        }
        page("/", overview::show);
        page("/letters", letters::show);
        page("/letters/export", letters::export);
        page("/letters/{id}", letter::show);
        page("/letters/{id}/payload", letter::payload);
        page("/letters/{id}/test", letter::test);
        page("/letters/{id}/edit", letter::edit);
        command("/letters/{id}/edit", letter::save);
        page("/redrive", redrive::show);
        command("/redrive", redrive::start);
        page("/purge", redrive::askPurge);
        command("/purge", redrive::purge);
        page("/operations", operations::list);
        page("/operations/{id}", operations::show);
        command("/operations/{id}/{command}", operations::command);
        page("/causes", causes::show);
        page("/cause", cause::show);
        page("/cause/differs", cause::differs);
        command("/cause/{command}", cause::command);
        page("/repair", repair::show);
        command("/repair", repair::apply);
        page("/pauses", pauses::show);
        command("/pauses", pauses::pause);
        command("/pauses/resume", pauses::resume);
        page("/webhooks", webhooks::show);
        page("/webhooks/{route}", webhooks::route);
        command("/webhooks/{command}", webhooks::command);
        policies();
        decisions();
        page("/record", record::show);
        routes.GET(mount.prefix() + "/assets/{name}", this::asset);
        return routes.build();
    }

    private void policies() {
        PoliciesPage policies = new PoliciesPage(renderer);
        PolicyDraftPage draft = new PolicyDraftPage(renderer);
        page("/policies", policies::show);
        page("/policies/draft", draft::show);
        page("/policies/replay", draft::replay);
        command("/policies/save", draft::save);
        command("/policies/remove", draft::remove);
    }

    private void decisions() {
        ProposalsPage proposals = new ProposalsPage(renderer);
        AccessPage access = new AccessPage(renderer);
        page("/proposals", proposals::list);
        page("/proposals/{number}", proposals::show);
        command("/proposals/{number}/{command}", proposals::command);
        page("/access", access::show);
        command("/access/{command}", access::command);
    }

    private void page(String path, Function<Visit, ServerResponse> page) {
        routes.GET(mount.prefix() + path, gate.page(page));
    }

    private void command(String path, Function<Visit, ServerResponse> command) {
        routes.POST(mount.prefix() + path, gate.command(command));
    }

    private ServerResponse asset(ServerRequest request) {
        return mount.assets()
                .find(request.pathVariable("name"))
                .map(asset -> ServerResponse.ok()
                        .contentType(MediaType.parseMediaType(asset.type()))
                        .cacheControl(CacheControl.maxAge(KEPT).cachePrivate().immutable())
                        .header("X-Content-Type-Options", "nosniff")
                        .eTag(asset.tag())
                        .body(asset.content()))
                .orElseGet(() -> ServerResponse.notFound().build());
    }
}
