package io.redrive.server.access;

import io.redrive.events.NamePattern;
import io.redrive.operations.AccessToken;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.server.config.CurrentProperties;
import io.redrive.server.config.ServerProperties;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;

/**
 * The callers that the configured OpenID Connect provider vouches for. A claim with roles is mapped to a role of this server by the
 * configuration in force; a caller without a mapped role is nobody. Thread-safe.
 */
final class ProviderCallers {

    private static final List<SignatureAlgorithm> ALGORITHMS =
            List.of(SignatureAlgorithm.RS256, SignatureAlgorithm.PS256, SignatureAlgorithm.ES256);
    private static final String PREFIX = "oidc";

    private final CurrentProperties current;
    private final Optional<JwtDecoder> decoder;

    ProviderCallers(CurrentProperties current) {
        this.current = current;
        ServerProperties.Oidc oidc = current.get().auth().oidc();
        String issuer = oidc.issuer();
        String audience = oidc.audience();
        decoder = issuer == null || audience == null
                ? Optional.empty()
                : Optional.of(new SupplierJwtDecoder(() -> decoder(issuer, audience)));
    }

    /** Asks the provider for its keys, hence at the first token and not at the start of the server. */
    private static JwtDecoder decoder(String issuer, String audience) {
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withIssuerLocation(issuer)
                .jwsAlgorithms(algorithms -> {
                    algorithms.clear();
                    algorithms.addAll(ALGORITHMS);
                })
                .validateType(false)
                .build();
        OAuth2TokenValidator<Jwt> forUs =
                new JwtClaimValidator<Object>("aud", value -> values(value).contains(audience));
        OAuth2TokenValidator<Jwt> ends = new JwtClaimValidator<Object>("exp", value -> value != null);
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
                new JwtTimestampValidator(), new JwtIssuerValidator(issuer), forUs, ends));
        return decoder;
    }

    /** Returns true when a text may be a token of a provider: three parts, which tokens of this server do not have. */
    boolean mayKnow(String token) {
        return decoder.isPresent() && token.chars().filter(each -> each == '.').count() == 2;
    }

    /**
     * Returns the caller with this bearer token; empty for a token that is not valid, or without a role.
     *
     * @throws org.springframework.security.oauth2.jwt.JwtException when the provider cannot be asked
     */
    Optional<Caller> bearer(String token, String origin) {
        try {
            Jwt jwt = decoder.orElseThrow().decode(token);
            return caller(jwt.getClaims(), Optional.ofNullable(jwt.getExpiresAt()), origin);
        } catch (BadJwtException e) {
            return Optional.empty();
        }
    }

    /** Returns the caller with these claims; empty without a role, or without a name that the record of actions can keep. */
    Optional<Caller> caller(Map<String, Object> claims, Optional<Instant> expires, String origin) {
        ServerProperties.Oidc oidc = current.get().auth().oidc();
        Object name = claim(claims, oidc.nameClaim());
        Optional<Role> role = values(claim(claims, oidc.rolesClaim())).stream()
                .filter(oidc.roles()::containsKey)
                .map(oidc.roles()::get)
                .max(Role::compareTo);
        if (role.isEmpty() || !(name instanceof String text)) {
            return Optional.empty();
        }
        try {
            Operator operator = new Operator(text, role.get(), origin + " oidc");
            List<NamePattern> names = oidc.namesClaim() == null
                    ? List.of()
                    : values(claim(claims, oidc.namesClaim())).stream()
                            .map(NamePattern::new)
                            .toList();
            boolean limited = role.get() == Role.PUBLISHER && oidc.namesClaim() != null;
            if (limited && names.isEmpty()) {
                return Optional.empty();
            }
            AccessToken scope = new AccessToken(
                    PREFIX,
                    text,
                    role.get(),
                    limited ? names : List.of(),
                    String.valueOf(oidc.issuer()),
                    Instant.EPOCH,
                    expires,
                    Optional.empty());
            return Optional.of(new Caller(operator, Optional.of(scope)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static @Nullable Object claim(Map<String, Object> claims, String path) {
        if (claims.containsKey(path)) {
            return claims.get(path);
        }
        Object value = claims;
        for (String step : path.split("\\.")) {
            value = value instanceof Map<?, ?> members ? members.get(step) : null;
        }
        return value;
    }

    /** Returns a list of texts, or the words of a text. */
    private static List<String> values(@Nullable Object claim) {
        if (claim instanceof Collection<?> items) {
            return items.stream().map(String::valueOf).toList();
        }
        return claim instanceof String text && !text.isBlank()
                ? Arrays.asList(text.strip().split("\\s+"))
                : List.of();
    }
}
