package io.redrive.server.config;

import io.redrive.operations.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of a server, beside the settings of {@link io.redrive.spring.RedriveProperties}.
 *
 * @param http where the server listens
 * @param auth who may send requests
 * @param limits the most that a caller may ask for
 * @param log how the server logs
 */
@ConfigurationProperties("redrive")
public record ServerProperties(
        @DefaultValue Http http,
        @DefaultValue Auth auth,
        @DefaultValue Limits limits,
        @DefaultValue Log log) {

    /**
     * Where the server listens.
     *
     * @param address the address to listen on; an address that other machines reach needs auth
     * @param port the port to listen on; 0 for any free port
     * @param tls the certificate of the server; plain HTTP without
     */
    public record Http(
            @DefaultValue("127.0.0.1") String address,
            @DefaultValue("8080") int port,
            @DefaultValue Tls tls) {}

    /**
     * The certificate of the server. Both files are PEM.
     *
     * @param certificate the file with the certificate and its chain
     * @param privateKey the file with the private key
     */
    public record Tls(@Nullable Path certificate, @Nullable Path privateKey) {}

    /**
     * Who may send requests.
     *
     * @param required whether a caller must have a password or a token; true when there are users or a provider
     * @param users people with a password, by name
     * @param oidc the OpenID Connect provider that knows people and programs
     */
    public record Auth(
            @Nullable Boolean required,
            @DefaultValue Map<String, User> users,
            @DefaultValue Oidc oidc) {

        /** Returns true when a caller must have a password or a token. */
        public boolean isRequired() {
            return required == null ? !users.isEmpty() || oidc.issuer() != null : required;
        }
    }

    /**
     * The OpenID Connect provider that knows people and programs.
     *
     * @param issuer the URL of the provider, as its tokens name it; no provider without
     * @param clientId the name of this server at the provider; people log in to the console when it is set
     * @param clientSecret the password of this server at the provider
     * @param audience the audience that bearer tokens must name; without, bearer tokens of the provider are refused
     * @param url the address of this server as browsers see it, when a proxy stands in front
     * @param nameClaim the claim with the name of a person or program
     * @param rolesClaim the claim with the roles; dots lead into objects, as in realm_access.roles
     * @param namesClaim the claim with the event names that a publisher may publish; all names without
     * @param roles the role of this server for each value of the roles claim
     */
    public record Oidc(
            @Nullable String issuer,
            @Nullable String clientId,
            @Nullable String clientSecret,
            @Nullable String audience,
            @Nullable String url,
            @DefaultValue("preferred_username") String nameClaim,
            @DefaultValue("roles") String rolesClaim,
            @Nullable String namesClaim,
            @DefaultValue Map<String, Role> roles) {}

    /**
     * A person with a password.
     *
     * @param role what the person may do: viewer, operator or admin
     * @param password the bcrypt hash of the password; redrive config hash makes one
     */
    public record User(
            @DefaultValue("viewer") Role role, @Nullable String password) {}

    /**
     * The most that a caller may ask for.
     *
     * @param body the largest body of a request
     * @param bodyTime the longest time that a caller may take to send a body
     * @param headers the largest headers of a request, all together
     * @param events the most events of one request
     * @param page the most rows of one answer
     * @param streams the most open streams of the server
     * @param connections the most open connections of the server
     * @param idle how long a connection may be silent
     * @param loginAttempts the most wrong passwords or tokens from one address, or for one name, within five minutes
     */
    public record Limits(
            @DefaultValue("16MB") DataSize body,
            @DefaultValue("30s") Duration bodyTime,
            @DefaultValue("16KB") DataSize headers,
            @DefaultValue("1000") int events,
            @DefaultValue("1000") int page,
            @DefaultValue("100") int streams,
            @DefaultValue("2000") int connections,
            @DefaultValue("10s") Duration idle,
            @DefaultValue("10") int loginAttempts) {}

    /**
     * How the server logs.
     *
     * @param format text, or json for one JSON object in each line
     */
    public record Log(@DefaultValue("text") LogFormat format) {}

    /** The forms of log lines. */
    public enum LogFormat {
        /** Lines for people. */
        TEXT,
        /** One JSON object in each line. */
        JSON
    }
}
