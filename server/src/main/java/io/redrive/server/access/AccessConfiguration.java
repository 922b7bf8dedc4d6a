package io.redrive.server.access;

import io.redrive.console.OperatorResolver;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.operations.AccessTokens;
import io.redrive.operations.Operator;
import io.redrive.server.config.CurrentProperties;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/** The filters in front of every request, and the headers of every answer. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {

    private static final String CONTENT_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none';"
            + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    private static final long A_YEAR = 31_536_000;

    /** Nobody logs in by Spring's own means; without this bean, Spring would invent a password and log it. */
    @Bean
    UserDetailsService noUsers() {
        return name -> {
            throw new UsernameNotFoundException("users are in the configuration of the server");
        };
    }

    /** Without this bean, Spring measures each of its own filters in each request, which costs more than the filters do. */
    @Bean
    SecurityObservationSettings noObservations() {
        return SecurityObservationSettings.noObservations();
    }

    @Bean
    AccessTokens accessTokens(EventStore store, Time time) {
        return new AccessTokens(store.notes(), time);
    }

    /** Pages of the console act for the caller of the request, as the API does. */
    @Bean
    OperatorResolver callerOperators() {
        return new OperatorResolver() {
            @Override
            public Operator operatorOf(HttpServletRequest request) {
                return Caller.of(request).operator();
            }

            @Override
            public Optional<String> signOutPath(HttpServletRequest request) {
                return ProviderLogin.logoutPath(request);
            }
        };
    }

    @Bean
    SecurityFilterChain filters(
            HttpSecurity http,
            CurrentProperties current,
            AccessTokens tokens,
            Time time,
            @Value("${redrive.console.path:/redrive}") String home)
            throws Exception {
        Optional<ProviderLogin> login = ProviderLogin.of(current.get().auth().oidc(), home);
        http.csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .httpBasic(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_POLICY))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicy.NO_REFERRER))
                        .frameOptions(frames -> frames.deny())
                        .contentTypeOptions(Customizer.withDefaults())
                        .httpStrictTransportSecurity(
                                hsts -> hsts.maxAgeInSeconds(A_YEAR).includeSubDomains(false)))
                .addFilterBefore(new BodyLimitFilter(current, time), AuthorizationFilter.class)
                .addFilterBefore(new CrossOriginFilter(current), AuthorizationFilter.class)
                .addFilterBefore(
                        new CallerFilter(current, tokens, login, new LoginGuard(time)), AuthorizationFilter.class)
                .authorizeHttpRequests(
                        requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC)
                                .permitAll()
                                .requestMatchers(CallerFilter::isOpen)
                                .permitAll()
                                .anyRequest()
                                .authenticated());
        if (login.isPresent()) {
            login.get().configure(http);
        }
        return http.build();
    }
}
