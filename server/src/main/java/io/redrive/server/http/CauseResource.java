package io.redrive.server.http;

import io.redrive.events.cause.Care;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CausePlace;
import io.redrive.events.cause.CauseStatus;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.cause.Sighting;
import io.redrive.events.cause.Stance;
import io.redrive.operations.CauseDifferences;
import io.redrive.operations.CauseFilter;
import io.redrive.operations.CauseList;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import io.redrive.operations.FixState;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Causes of dead letters. */
@RestController
class CauseResource {

    private final CallerOperations operations;

    CauseResource(CallerOperations operations) {
        this.operations = operations;
    }

    private CauseOperations causes(HttpServletRequest request) {
        Query.of(request);
        return operations.of(request).causes();
    }

    @GetMapping("/api/v1/causes")
    Map<String, Object> list(HttpServletRequest request) {
        Query query = Query.of(request, "status", "owner", "limit", "cursor");
        CauseFilter filter = new CauseFilter(
                query.value("status", CauseResource::states).orElse(CauseFilter.ALL.states()),
                query.value("owner", CauseResource::owner));
        CauseList found = operations
                .of(request)
                .causes()
                .list(
                        filter,
                        query.value("cursor", CausePlace::parse).orElse(CausePlace.START),
                        operations.limit(query));
        return new Answer()
                .put("items", found.causes().stream().map(CauseResource::view).toList())
                .put("next_cursor", found.next().map(CausePlace::text))
                .done();
    }

    /** Reads states such as {@code open,regressed}. */
    private static Set<CauseStatus> states(String text) {
        Set<CauseStatus> states = EnumSet.noneOf(CauseStatus.class);
        for (String code : text.split(",", -1)) {
            states.add(Arrays.stream(CauseStatus.values())
                    .filter(status -> status.code().equals(code))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("it must be one or more of "
                            + Arrays.stream(CauseStatus.values())
                                    .map(CauseStatus::code)
                                    .collect(Collectors.joining(", "))
                            + ", with commas between them")));
        }
        return states;
    }

    private static String owner(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("it must be a name; leave the parameter out for any owner");
        }
        return name;
    }

    @GetMapping("/api/v1/causes/{fingerprint}")
    Map<String, Object> find(HttpServletRequest request, @PathVariable String fingerprint) {
        CauseOperations causes = causes(request);
        CauseView view = known(fingerprint, causes.find(fingerprint));
        return view(view).put("fix", fix(causes.fix(view))).done();
    }

    private static Answer fix(FixState fix) {
        if (fix instanceof FixState.NoNode none) {
            return new Answer().put("state", "no_node").put("names", none.names());
        }
        if (fix instanceof FixState.Pending pending) {
            Answer older = new Answer();
            pending.older().forEach(older::put);
            return new Answer()
                    .put("state", "pending")
                    .put("fixed_in", pending.fixedIn())
                    .put("older", older)
                    .put("unknown", pending.unknown());
        }
        return new Answer().put("state", fix instanceof FixState.CanaryDue ? "canary_due" : "not_applicable");
    }

    /** Compares the newest letters of a cause with handled events of the same names. */
    @GetMapping("/api/v1/causes/{fingerprint}/differences")
    Map<String, Object> differences(HttpServletRequest request, @PathVariable String fingerprint) {
        CauseDifferences found =
                causes(request).differences(fingerprint).orElseThrow(() -> Problem.missing("cause", fingerprint));
        return new Answer()
                .put("cause", view(found.cause()))
                .put("letters", found.letters())
                .put("compared", found.compared())
                .put("names", found.names().stream().map(DifferenceView::of).toList())
                .done();
    }

    private static CauseView known(String fingerprint, Optional<CauseView> found) {
        return found.orElseThrow(() -> Problem.missing("cause", fingerprint));
    }

    static Answer view(CauseView view) {
        return view(view.cause()).put("status", view.status().code()).put("letters", view.letters());
    }

    private static Answer view(Cause cause) {
        Care care = cause.care();
        Answer answer = new Answer()
                .put("fingerprint", cause.fingerprint())
                .put("error_type", cause.errorType())
                .put("example", cause.example())
                .put("seen", cause.seen())
                .put("names", cause.names())
                .put("first_seen", cause.firstSeen())
                .put("last_seen", cause.lastSeen())
                .put("owner", care.owner())
                .put("note", care.note())
                .put("ticket", care.ticket())
                .put("merged_into", cause.mergedInto())
                .put(
                        "sightings",
                        cause.sightings().stream().map(CauseResource::sighting).toList());
        if (care.stance() instanceof Stance.Resolved resolved) {
            answer.put("resolved_at", resolved.at()).put("fixed_in", resolved.fixedIn());
        } else if (care.stance() instanceof Stance.Ignored ignored) {
            answer.put("ignored_until", ignored.until())
                    .put("ignored_letters", ignored.letters())
                    .put("ignored_after", ignored.seenBefore());
        }
        return answer;
    }

    private static Answer sighting(Sighting sighting) {
        return new Answer()
                .put("day", sighting.day())
                .put("name", sighting.name())
                .put("version", sighting.version())
                .put("letters", sighting.letters())
                .put("first", sighting.first())
                .put("last", sighting.last());
    }

    @PostMapping("/api/v1/causes/{fingerprint}/assign")
    Map<String, Object> assign(
            HttpServletRequest request, @PathVariable String fingerprint, @RequestBody byte[] bytes) {
        String owner = only(bytes, "owner");
        return view(known(fingerprint, causes(request).assign(fingerprint, owner)))
                .done();
    }

    @PostMapping("/api/v1/causes/{fingerprint}/note")
    Map<String, Object> note(HttpServletRequest request, @PathVariable String fingerprint, @RequestBody byte[] bytes) {
        String text = only(bytes, "note");
        return view(known(fingerprint, causes(request).note(fingerprint, text))).done();
    }

    @PostMapping("/api/v1/causes/{fingerprint}/ticket")
    Map<String, Object> ticket(
            HttpServletRequest request, @PathVariable String fingerprint, @RequestBody byte[] bytes) {
        String link = only(bytes, "ticket");
        return view(known(fingerprint, causes(request).ticket(fingerprint, link)))
                .done();
    }

    private static String only(byte[] bytes, String field) {
        Body body = Body.object(bytes);
        String value = body.requiredText(field);
        body.done();
        return value;
    }

    @PostMapping("/api/v1/causes/{fingerprint}/resolve")
    Map<String, Object> resolve(
            HttpServletRequest request, @PathVariable String fingerprint, @RequestBody byte[] bytes) {
        Body body = Body.object(bytes);
        Optional<ServiceVersion> fixedIn = body.value("fixed_in", CauseResource::version);
        body.done();
        return view(known(fingerprint, causes(request).resolve(fingerprint, fixedIn)))
                .done();
    }

    static ServiceVersion version(String text) {
        return ServiceVersion.parse(text)
                .orElseThrow(() -> new IllegalArgumentException("it must be a version such as 2.4.1"));
    }

    @PostMapping("/api/v1/causes/{fingerprint}/ignore")
    Map<String, Object> ignore(
            HttpServletRequest request, @PathVariable String fingerprint, @RequestBody byte[] bytes) {
        Body body = Body.object(bytes);
        var until = body.time("until");
        OptionalLong letters = body.number("letters").map(OptionalLong::of).orElse(OptionalLong.empty());
        body.done();
        return view(known(fingerprint, causes(request).ignore(fingerprint, until, letters)))
                .done();
    }

    @PostMapping("/api/v1/causes/{fingerprint}/reopen")
    Map<String, Object> reopen(HttpServletRequest request, @PathVariable String fingerprint) {
        return view(known(fingerprint, causes(request).reopen(fingerprint))).done();
    }

    @PostMapping("/api/v1/causes/{fingerprint}/merge")
    Map<String, Object> merge(HttpServletRequest request, @PathVariable String fingerprint, @RequestBody byte[] bytes) {
        String into = only(bytes, "into");
        long moved = causes(request).merge(fingerprint, into, done -> {});
        return new Answer().put("moved", moved).done();
    }
}
