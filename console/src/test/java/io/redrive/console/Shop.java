package io.redrive.console;

import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.pipeline.Pipeline;
import io.redrive.spring.PipelineCustomizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** An application with its own login and an event pipeline, into which the console is mounted by being on the class path. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Shop {

    static final String PASSWORD = "secret";

    /** What the handlers of the shop call. */
    static final class Downstream {
        /** While true, handlers fail unless the payload names a currency. */
        final AtomicBoolean strict = new AtomicBoolean(true);
    }

    /** Starts the shop with a new store, on a free port of the loopback interface. */
    static ConfigurableApplicationContext start(String... properties) {
        return start(new InMemoryEventStore(), properties);
    }

    /** Starts the shop on this store. */
    static ConfigurableApplicationContext start(EventStore store, String... properties) {
        return start(Map.of("store", store), properties);
    }

    /** Starts the shop with these beans by name. */
    static ConfigurableApplicationContext start(Map<String, Object> beans, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--redrive.service=shop",
                "--redrive.version=2.4.0",
                "--redrive.node=shop-1",
                "--redrive.events.policies[order.*].max-attempts=1",
                "--redrive.automatic-redrive.enabled=false",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn"));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        SpringApplication application = new SpringApplication(Shop.class);
        application.addInitializers(context -> beans.forEach(context.getBeanFactory()::registerSingleton));
        return application.run(arguments.toArray(String[]::new));
    }

    static String urlOf(ConfigurableApplicationContext shop) {
        return "http://127.0.0.1:" + shop.getEnvironment().getProperty("local.server.port");
    }

    @Bean
    Downstream downstream() {
        return new Downstream();
    }

    @Bean
    PipelineCustomizer handlers(Downstream downstream) {
        return (Pipeline.Builder pipeline) -> pipeline.on("order.*", event -> {
                    if (downstream.strict.get() && !event.text().contains("currency")) {
                        throw new IllegalStateException("order has no currency");
                    }
                })
                .on("*", event -> {});
    }

    @Bean
    RouterFunction<ServerResponse> home() {
        return RouterFunctions.route()
                .GET("/", request -> ServerResponse.ok().body("the shop"))
                .build();
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http, Environment environment) {
        if (environment.getProperty("shop.open", Boolean.class, false)) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
        return http.authorizeHttpRequests(requests ->
                        requests.requestMatchers("/").permitAll().anyRequest().authenticated())
                .formLogin(Customizer.withDefaults())
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                user("vic"), user("ann", "REDRIVE_OPERATOR"), user("ada", "REDRIVE_ADMIN"), user("root", "ADMIN"));
    }

    /** Compares passwords as they are: each request of a caller without a session would wait for a slow hash. */
    @Bean
    PasswordEncoder passwords() {
        return new PasswordEncoder() {
            @Override
            public String encode(CharSequence password) {
                return password.toString();
            }

            @Override
            public boolean matches(CharSequence password, String known) {
                return password.toString().equals(known);
            }
        };
    }

    private static UserDetails user(String name, String... roles) {
        return User.withUsername(name).password(PASSWORD).roles(roles).build();
    }
}
