package io.redrive.console;

import io.redrive.core.DurationText;
import io.redrive.events.NamePattern;
import io.redrive.operations.AccessToken;
import io.redrive.operations.Accounts;
import io.redrive.operations.NewToken;
import io.redrive.operations.Role;
import io.redrive.operations.TokenOperations;
import io.redrive.operations.Verb;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.web.servlet.function.ServerResponse;

/** Shows what each role may do, the users of the configuration, and the tokens; makes and revokes tokens. */
final class AccessPage {

    /** Lifetimes of tokens to choose from, in words by value; the first is the default. */
    static final Map<String, String> LIFETIMES = lifetimes();

    private static final String FOR_EVER = "none";

    /**
     * The facts of the page.
     *
     * @param accounts the users of this process; empty where the application has a login of its own
     * @param tokens the tokens, the oldest first; empty for an operator who may not see them
     * @param made a token that was just made, shown this once
     */
    record View(Optional<Accounts> accounts, List<AccessToken> tokens, Optional<NewToken> made) {

        /** Returns the first line of the page. */
        String inWords(Visit visit) {
            String you = "You are " + visit.operator().name() + " with the role "
                    + visit.operator().role().code();
            if (accounts.isEmpty()) {
                return you + "; your application gives roles.";
            }
            return visit.may(Verb.LIST_TOKENS)
                    ? you + "; " + Format.counted(accounts.get().list().size(), "user") + ", "
                            + Format.counted(tokens.size(), "token") + "."
                    : you + ".";
        }
    }

    private final Renderer renderer;

    AccessPage(Renderer renderer) {
        this.renderer = renderer;
    }

    private static Map<String, String> lifetimes() {
        Map<String, String> lifetimes = new LinkedHashMap<>();
        lifetimes.put("90d", "90 days");
        lifetimes.put("1d", "1 day");
        lifetimes.put("30d", "30 days");
        lifetimes.put("365d", "1 year");
        lifetimes.put(FOR_EVER, "no end");
        return lifetimes;
    }

    /** Returns the kinds of commands that a role may give, without those of the roles below. */
    static String added(Role role) {
        return Arrays.stream(Verb.values())
                .filter(verb -> role == Role.PUBLISHER ? role.allows(verb) : verb.least() == role)
                .map(verb -> verb.code().replace('-', ' '))
                .collect(Collectors.joining(", "));
    }

    ServerResponse show(Visit visit) {
        return page(visit, Optional.empty());
    }

    private ServerResponse page(Visit visit, Optional<NewToken> made) {
        boolean listed = visit.accounts().isPresent() && visit.may(Verb.LIST_TOKENS);
        List<AccessToken> tokens = listed ? visit.operations().tokens().list() : List.of();
        return renderer.html(visit, "access", new View(visit.accounts(), tokens, made));
    }

    /** Returns the patterns of the event names that a token may publish. */
    static String names(AccessToken token) {
        return token.names().stream().map(NamePattern::text).collect(Collectors.joining(", "));
    }

    /** Asks before a token is revoked. */
    ServerResponse askRevoke(Visit visit) {
        String prefix = visit.param("prefix");
        return visit.accounts().stream()
                .flatMap(accounts -> visit.operations().tokens().list().stream())
                .filter(token -> token.prefix().equals(prefix))
                .findFirst()
                .map(token -> renderer.html(visit, "revoke", token))
                .orElseThrow(() -> Refusal.missing(
                                "No token begins with " + Format.brief(prefix, 20) + ".",
                                "The token may be revoked already; the record of actions tells.")
                        .leadingTo("/access", "Show the tokens"));
    }

    ServerResponse command(Visit visit) {
        if (visit.accounts().isEmpty()) {
            throw Refusal.missing(
                    "This application has a login of its own and accepts no tokens of Redrive.",
                    "Tokens are made where the Redrive server runs.");
        }
        TokenOperations tokens = visit.operations().tokens();
        String command = visit.path("command");
        return switch (command) {
            // Shown on this very answer: a token must not lie in a cookie or an address.
            case "create" ->
                page(
                        visit,
                        Optional.of(tokens.create(
                                visit.param("name"), Role.of(visit.param("role")), names(visit), lifetime(visit))));
            case "revoke" -> {
                String prefix = visit.param("prefix");
                Optional<AccessToken> revoked = tokens.revoke(prefix);
                yield Renderer.redirect(
                        visit,
                        "/access",
                        revoked.map(token -> "The token " + prefix + " of " + token.name()
                                        + " is revoked: servers refuse it after a second.")
                                .orElse("No token begins with " + Format.brief(prefix, 20)
                                        + "; it may be revoked already."));
            }
            default ->
                throw Refusal.missing(
                        "No command is called " + Format.brief(command, 40) + ".", "Go back to the page Access.");
        };
    }

    private static List<NamePattern> names(Visit visit) {
        return Arrays.stream(visit.param("names").split("[,\\s]+"))
                .filter(text -> !text.isEmpty())
                .map(NamePattern::new)
                .toList();
    }

    private static Optional<Duration> lifetime(Visit visit) {
        String text = visit.param("lifetime");
        return text.equals(FOR_EVER) ? Optional.empty() : Optional.of(DurationText.parse(text));
    }
}
