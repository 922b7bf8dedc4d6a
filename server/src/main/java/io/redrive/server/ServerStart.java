package io.redrive.server;

import io.redrive.server.config.ServerConfiguration;
import io.redrive.server.config.ServerProperties;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** Starts servers. */
public final class ServerStart {

    private ServerStart() {}

    /**
     * Starts a server and returns when it answers requests.
     *
     * @param file the file that the server watches for changes; empty for none
     * @throws IllegalArgumentException when a setting is refused; nothing was started
     */
    public static ConfigurableApplicationContext run(ServerConfiguration configuration, Optional<Path> file) {
        ServerProperties properties = configuration.check().server();
        ConfigurableEnvironment environment = configuration.environment();
        // First, because a variable such as SERVER_ADDRESS must not pass by the rules of the configuration.
        environment.getPropertySources().addFirst(new MapPropertySource("redriveServer", derived(properties)));
        SpringApplication application = new SpringApplication(ServerApplication.class);
        application.setEnvironment(environment);
        application.addInitializers(context -> {
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(StartedWith.class, () -> new StartedWith(configuration, file));
        });
        return application.run();
    }

    /** What a server was started with. */
    record StartedWith(ServerConfiguration configuration, Optional<Path> file) {}

    /** Returns the URL that a started server answers on. */
    public static String url(ConfigurableApplicationContext server) {
        ServletWebServerApplicationContext web = (ServletWebServerApplicationContext) server;
        ConfigurableEnvironment environment = server.getEnvironment();
        String address = environment.getRequiredProperty("server.address");
        String host = address.contains(":") ? "[" + address + "]" : address;
        String scheme = environment.containsProperty("server.ssl.bundle") ? "https" : "http";
        var started = web.getWebServer();
        return scheme + "://" + host + ":" + (started == null ? 0 : started.getPort());
    }

    private static Map<String, Object> derived(ServerProperties properties) {
        Map<String, Object> derived = new LinkedHashMap<>();
        derived.put("server.address", properties.http().address());
        derived.put("server.port", properties.http().port());
        ServerProperties.Limits limits = properties.limits();
        derived.put("server.max-http-request-header-size", limits.headers().toBytes() + "B");
        derived.put("server.tomcat.max-connections", limits.connections());
        derived.put("server.tomcat.connection-timeout", limits.idle().toMillis() + "ms");
        derived.put("server.tomcat.keep-alive-timeout", limits.idle().toMillis() + "ms");
        Path certificate = properties.http().tls().certificate();
        Path key = properties.http().tls().privateKey();
        if (certificate != null && key != null) {
            derived.put("spring.ssl.bundle.pem.redrive.keystore.certificate", certificate.toUri());
            derived.put("spring.ssl.bundle.pem.redrive.keystore.private-key", key.toUri());
            derived.put("spring.ssl.bundle.pem.redrive.reload-on-update", true);
            derived.put("server.ssl.bundle", "redrive");
            derived.put("server.servlet.session.cookie.secure", true);
        }
        if (properties.log().format() == ServerProperties.LogFormat.JSON) {
            derived.put("logging.structured.format.console", "logstash");
        }
        return derived;
    }
}
