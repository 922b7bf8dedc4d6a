package io.redrive.server.http;

import io.redrive.events.NamePattern;
import io.redrive.pipeline.NamePause;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Paused event names. */
@RestController
class PauseResource {

    private final CallerOperations operations;

    PauseResource(CallerOperations operations) {
        this.operations = operations;
    }

    @GetMapping("/api/v1/pauses")
    Map<String, Object> list(HttpServletRequest request) {
        Query.of(request);
        return Answer.list(operations.of(request).pauses().list(), PauseResource::view);
    }

    private static Answer view(NamePause pause) {
        Answer answer = new Answer()
                .put("pattern", pause.pattern().text())
                .put("by_hand", pause instanceof NamePause.ByHand)
                .put("since", pause.since())
                .put("until", pause.until());
        if (pause instanceof NamePause.ByHand hand) {
            answer.put("operator", hand.operator()).put("reason", hand.reason());
        }
        return answer;
    }

    @PutMapping("/api/v1/pauses/{pattern}")
    Map<String, Object> pause(HttpServletRequest request, @PathVariable String pattern, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        String reason = body.requiredText("reason");
        Optional<Instant> until = body.time("until");
        body.done();
        NamePattern names = Query.read("pattern", pattern, NamePattern::new);
        return view(operations.of(request).pauses().pause(names, reason, until)).done();
    }

    @DeleteMapping("/api/v1/pauses/{pattern}")
    Map<String, Object> resume(HttpServletRequest request, @PathVariable String pattern) {
        Query.of(request);
        NamePattern names = Query.read("pattern", pattern, NamePattern::new);
        return view(operations.of(request).pauses().resume(names).orElseThrow(() -> Problem.missing("pause", pattern)))
                .done();
    }
}
