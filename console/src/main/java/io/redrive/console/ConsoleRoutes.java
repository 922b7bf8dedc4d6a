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
    private final RecentActivity recent = new RecentActivity();
    private final LiveStreams streams;
    private final Gate gate;
    private final RouterFunctions.Builder routes = RouterFunctions.route();

    ConsoleRoutes(
            Mount mount,
            EventStore store,
            OperatorResolver operators,
            Time time,
            Redaction redaction,
            LiveStreams streams) {
        this.mount = mount;
        this.streams = streams;
        gate = new Gate(mount, store, operators, time, redaction, renderer);
    }

    RouterFunction<ServerResponse> routes() {
        OverviewPage overview = new OverviewPage(renderer, recent);
        OperationsPage operations = new OperationsPage(renderer);
        CausesPage causes = new CausesPage(renderer);
        CausePage cause = new CausePage(renderer);
        PausesPage pauses = new PausesPage(renderer);
        RecordPage record = new RecordPage(renderer);
        WebhooksPage webhooks = new WebhooksPage(renderer);

        if (!mount.prefix().isEmpty()) {
            routes.GET(mount.prefix(), gate.page(overview::show));
        }
        page("/", overview::show);
        letters();
        page("/operations", operations::list);
        page("/operations/{id}", operations::show);
        command("/operations/{id}/{command}", operations::command);
        page("/causes", causes::show);
        page("/cause", cause::show);
        page("/cause/differs", cause::differs);
        command("/cause/{command}", cause::command);
        page("/pauses", pauses::show);
        command("/pauses", pauses::pause);
        command("/pauses/resume", pauses::resume);
        page("/webhooks", webhooks::show);
        page("/webhooks/{route}", webhooks::route);
        command("/webhooks/{command}", webhooks::command);
        policies();
        decisions();
        page("/record", record::show);
        page("/kafka", new KafkaPage(renderer)::show);
        eventsAndRuns();
        if (streams.isOffered()) {
            page("/stream", streams::open);
        }
        routes.GET(mount.prefix() + "/assets/{name}", this::asset);
        if (!mount.prefix().isEmpty()) {
            page("/{*rest}", visit -> {
                throw Refusal.missing("The console has no page at this address.", "The sections above have all pages.");
            });
        }
        return routes.build();
    }

    private void letters() {
        LettersPage letters = new LettersPage(renderer);
        LetterPage letter = new LetterPage(renderer);
        RedrivePage redrive = new RedrivePage(renderer);
        RepairPage repair = new RepairPage(renderer);

        page("/letters", letters::show);
        page("/letters/export", letters::export);
        page("/letters/suggestions", letters::suggest);
        page("/letters/{id}", letter::show);
        page("/letters/{id}/payload", letter::payload);
        page("/letters/{id}/test", letter::test);
        page("/letters/{id}/edit", letter::edit);
        command("/letters/{id}/edit", letter::save);
        page("/redrive", redrive::show);
        command("/redrive", redrive::start);
        page("/purge", redrive::askPurge);
        command("/purge", redrive::purge);
        page("/repair", repair::show);
        command("/repair", repair::apply);
    }

    private void eventsAndRuns() {
        EventsPage events = new EventsPage(renderer, recent);
        EventPage event = new EventPage(renderer);
        RunsPage runs = new RunsPage(renderer);
        RunPage run = new RunPage(renderer);
        DeadSamplesPage samples = new DeadSamplesPage(renderer);

        page("/events", events::show);
        page("/event", event::show);
        page("/runs", runs::list);
        page("/runs/{id}", run::show);
        page("/runs/{id}/report", run::report);
        page("/runs/{id}/report/{format}", run::download);
        page("/runs/{id}/dead", samples::list);
        page("/runs/{id}/samples/{ordinal}", samples::sample);
        page("/runs/{id}/ask/{command}", run::ask);
        command("/runs/{id}/{command}", run::command);
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
        page("/access/revoke", access::askRevoke);
        command("/access/{command}", access::command);
    }

    private void page(String path, Function<Visit, ServerResponse> page) {
        routes.GET(mount.prefix() + path, gate.page(page));
    }

    private void command(String path, Function<Visit, ServerResponse> command) {
        routes.POST(mount.prefix() + path, gate.command(command));
    }

    /** Sends a file compressed to browsers that say so. Pages are left to the application, because they hold secrets of forms. */
    private ServerResponse asset(ServerRequest request) {
        boolean gzip = request.headers().header("Accept-Encoding").stream().anyMatch(each -> each.contains("gzip"));
        return mount.assets()
                .find(request.pathVariable("name"))
                .map(asset -> {
                    ServerResponse.BodyBuilder response = ServerResponse.ok()
                            .contentType(MediaType.parseMediaType(asset.type()))
                            .cacheControl(
                                    CacheControl.maxAge(KEPT).cachePrivate().immutable())
                            .header("X-Content-Type-Options", "nosniff")
                            .header("Vary", "Accept-Encoding")
                            .eTag(gzip ? asset.tag() + "-gzip" : asset.tag());
                    return gzip
                            ? response.header("Content-Encoding", "gzip").body(asset.packed())
                            : response.body(asset.content());
                })
                .orElseGet(() -> ServerResponse.notFound().build());
    }
}
