package io.redrive.console;

import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** Beans of an application that mounts the console, as the guide shows them. */
final class MountingExamples {

    /** Who works for the shop. */
    interface Staff {
        boolean isOnCall(String user);
    }

    // snippet: mounting-security
    @Bean
    SecurityFilterChain security(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/ops/queue", "/ops/queue/**")
                        .hasRole("SUPPORT")
                        .anyRequest()
                        .authenticated())
                .formLogin(Customizer.withDefaults())
                .build();
    }
    // end

    // snippet: mounting-operators
    @Bean
    OperatorResolver operators(Staff staff) {
        return request -> {
            String user = request.getUserPrincipal().getName();
            return new Operator(user, staff.isOnCall(user) ? Role.OPERATOR : Role.VIEWER, "console");
        };
    }
    // end
}
