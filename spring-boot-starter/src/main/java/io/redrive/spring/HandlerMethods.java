package io.redrive.spring;

import io.redrive.pipeline.Pipeline;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** All {@link OnEvent} methods of an application context. The search looks at the types of beans and creates no bean. */
final class HandlerMethods {

    private final List<HandlerMethod> methods = new ArrayList<>();

    HandlerMethods(ConfigurableListableBeanFactory beans, Payloads payloads) {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                find(beans, name, payloads);
            }
        }
        refuseDuplicates();
    }

    boolean isEmpty() {
        return methods.isEmpty();
    }

    /** The handler method of each pattern. */
    Map<String, String> byPattern() {
        Map<String, String> byPattern = new LinkedHashMap<>();
        methods.forEach(method -> method.patterns().forEach(pattern -> byPattern.put(pattern, method.toString())));
        return byPattern;
    }

    void addTo(Pipeline.Builder pipeline) {
        methods.forEach(method -> method.addTo(pipeline));
    }

    private void find(ConfigurableListableBeanFactory beans, String name, Payloads payloads) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
        if (type == null || !AnnotationUtils.isCandidateClass(type, OnEvent.class)) {
            return;
        }
        Map<Method, OnEvent> found = MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<OnEvent>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, OnEvent.class));
        found.forEach((method, annotation) -> {
            List<String> patterns = Arrays.stream(annotation.value())
                    .map(beans::resolveEmbeddedValue)
                    .toList();
            methods.add(new HandlerMethod(beans, name, method, patterns, payloads));
        });
    }

    private void refuseDuplicates() {
        Map<String, HandlerMethod> taken = new LinkedHashMap<>();
        for (HandlerMethod method : methods) {
            for (String pattern : method.patterns()) {
                HandlerMethod other = taken.putIfAbsent(pattern, method);
                if (other != null) {
                    throw new IllegalStateException("two @OnEvent methods for '" + pattern + "': " + other + " and "
                            + method + "; an event goes to one handler");
                }
            }
        }
    }
}
