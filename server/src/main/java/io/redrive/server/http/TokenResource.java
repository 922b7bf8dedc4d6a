package io.redrive.server.http;

import io.redrive.core.DurationText;
import io.redrive.events.NamePattern;
import io.redrive.operations.AccessToken;
import io.redrive.operations.NewToken;
import io.redrive.operations.Role;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Tokens of callers, for admins. */
@RestController
class TokenResource {

    private final CallerOperations operations;

    TokenResource(CallerOperations operations) {
        this.operations = operations;
    }

    @GetMapping("/api/v1/tokens")
    Map<String, Object> list(HttpServletRequest request) {
        Query.of(request);
        return Answer.list(operations.of(request).tokens().list(), this::view);
    }

    private Answer view(AccessToken token) {
        return new Answer()
                .put("prefix", token.prefix())
                .put("name", token.name())
                .put("role", token.role().code())
                .put("names", token.names().stream().map(NamePattern::text).toList())
                .put("created_by", token.createdBy())
                .put("created", token.created())
                .put("expires", token.expires())
                .put("expired", token.isExpired(operations.time().now()))
                .put("last_used", token.lastUsed());
    }

    /** The answer has the text of the token, which nobody can read later. */
    @PostMapping("/api/v1/tokens")
    ResponseEntity<Map<String, Object>> create(HttpServletRequest request, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        String name = body.requiredText("name");
        Role role = body.value("role", Role::of)
                .orElseThrow(
                        () -> Problem.wrong("role", null, "must be publisher, viewer, assistant, operator or admin"));
        List<NamePattern> names = body.texts("names").stream()
                .map(text -> Query.read("names", text, NamePattern::new))
                .toList();
        Optional<Duration> lifetime = body.value("lifetime", DurationText::parse);
        body.done();
        NewToken made = operations.of(request).tokens().create(name, role, names, lifetime);
        return ResponseEntity.status(HttpStatus.CREATED)
                .body(view(made.token()).put("token", made.text()).done());
    }

    @DeleteMapping("/api/v1/tokens/{prefix}")
    Map<String, Object> revoke(HttpServletRequest request, @PathVariable String prefix) {
        Query.of(request);
        return view(operations.of(request).tokens().revoke(prefix).orElseThrow(() -> Problem.missing("token", prefix)))
                .done();
    }
}
