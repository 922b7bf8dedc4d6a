package io.redrive.cli.command;

import io.redrive.cli.terminal.Printable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that name a server in place of a store. Credentials come from the environment or from a file: every user of a machine
 * can read the arguments of a process.
 */
public final class ServerOptions {

    /** The variable with the URL of the server. */
    public static final String VARIABLE = "REDRIVE_SERVER";

    static final String TOKEN = "REDRIVE_TOKEN";
    static final String USER = "REDRIVE_USER";
    static final String PASSWORD = "REDRIVE_PASSWORD";

    @Option(
            names = "--server",
            paramLabel = "URL",
            description =
                    "Ask a server instead of opening a store, such as http://127.0.0.1:8080. REDRIVE_SERVER in the"
                            + " environment when not given. The token is in REDRIVE_TOKEN, or a name and a password are in"
                            + " REDRIVE_USER and REDRIVE_PASSWORD.")
    private @Nullable String url;

    @Option(names = "--token-file", paramLabel = "FILE", description = "With --server: a file with the token.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--allow-plain-http",
            description =
                    "With --server: send credentials over http:// to another machine, where others may read them.")
    private boolean plainHttp;

    /** Returns true when the command line names a server. */
    public boolean isGiven() {
        return url != null;
    }

    /** Returns the URL of the server as given; empty when neither the command line nor the environment has one. */
    public Optional<String> given(Map<String, String> environment) {
        return Optional.ofNullable(url == null ? environment.get(VARIABLE) : url)
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    /** Returns the name of a given option that needs a server. */
    public Optional<String> strayOption() {
        if (tokenFile != null) {
            return Optional.of("--token-file");
        }
        return plainHttp ? Optional.of("--allow-plain-http") : Optional.empty();
    }

    /** Returns the options that make a suggested command ask the same server; empty when the environment names it. */
    public String suggested() {
        return (url == null ? "" : " --server " + Printable.shellWord(url))
                + (tokenFile == null ? "" : " --token-file " + Printable.shellWord(tokenFile.toString()))
                + (plainHttp ? " --allow-plain-http" : "");
    }

    /**
     * Returns the URL of the server without a slash at its end.
     *
     * @throws IllegalArgumentException when the text is no URL of a server
     */
    public static URI parse(String text) {
        String shown = text.replaceFirst("//[^/@]*@", "//…@");
        URI uri;
        try {
            uri = URI.create(text.replaceFirst("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw wrong(shown, e);
        }
        if (uri.getUserInfo() != null) {
            throw new IllegalArgumentException(
                    "--server must have no password, which every user of this machine could read;" + " set " + USER
                            + " and " + PASSWORD + " instead, got '" + shown + "'");
        }
        boolean http = List.of("http", "https").contains(String.valueOf(uri.getScheme()));
        if (!http || uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
            throw wrong(shown, null);
        }
        return uri;
    }

    private static IllegalArgumentException wrong(String shown, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "--server must be the URL of a server such as http://127.0.0.1:8080 or https://redrive.example.org, got '"
                        + shown + "'",
                cause);
    }

    /**
     * Returns the credentials for the server.
     *
     * @throws IllegalArgumentException when the credentials contradict each other, a file cannot be read, or the credentials would
     *     cross a network in the clear
     */
    public Credentials credentials(URI server, Map<String, String> environment) throws IOException {
        Optional<String> token = tokenFile == null ? value(environment, TOKEN) : Optional.of(tokenIn(tokenFile));
        Optional<String> user = value(environment, USER);
        if (token.isPresent() && user.isPresent() && tokenFile == null) {
            throw new IllegalArgumentException(TOKEN + " and " + USER + " contradict each other; unset one of them");
        }
        if (user.isPresent() && value(environment, PASSWORD).isEmpty()) {
            throw new IllegalArgumentException(USER + " must come with " + PASSWORD + ", got " + USER + " alone");
        }
        Credentials credentials = token.<Credentials>map(Credentials.Token::new)
                .or(() -> user.map(name -> new Credentials.Password(
                        name, value(environment, PASSWORD).orElse(""))))
                .orElseGet(Credentials.None::new);
        boolean secret = !(credentials instanceof Credentials.None);
        if (secret && !plainHttp && "http".equals(server.getScheme()) && !isLoopback(server.getHost())) {
            throw new IllegalArgumentException("--server must be an https:// URL for another machine, got " + server
                    + ": anyone on the way could read " + credentials + ". Use https, or say --allow-plain-http");
        }
        return credentials;
    }

    private static Optional<String> value(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable)).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static String tokenIn(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException("--token-file must be a file that can be read, got '" + file + "'");
        }
        return Files.readString(file).strip();
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // The request itself tells that no such host is known.
            return false;
        }
    }
}
