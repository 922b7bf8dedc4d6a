package io.redrive.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.util.ReflectionUtils;

/**
 * Wraps beans with {@link RetryWith} in a retrying proxy: as the first advisor of an existing proxy, hence outside of
 * transactions, and before the post-processor of {@code @Async}, hence inside of {@code @Async}.
 */
final class RetryWithPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<RetryMethodInterceptor.Dependencies> dependencies;
    private final transient List<Class<?>> annotatedTypes = new CopyOnWriteArrayList<>();

    RetryWithPostProcessor(Supplier<RetryMethodInterceptor.Dependencies> dependencies) {
        this.dependencies = dependencies;
        setBeforeExistingAdvisors(true);
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
        ComposablePointcut annotated = new ComposablePointcut(
                        AnnotationMatchingPointcut.forMethodAnnotation(RetryWith.class))
                .union((org.springframework.aop.Pointcut) new AnnotationMatchingPointcut(RetryWith.class, true));
        advisor = new DefaultPointcutAdvisor(annotated, new RetryMethodInterceptor(dependencies));
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Object processed = super.postProcessAfterInitialization(bean, beanName);
        if (processed != bean || isEligible(bean, beanName)) {
            annotatedTypes.add(AopUtils.getTargetClass(bean));
        }
        return processed;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (Class<?> type : annotatedTypes) {
            for (Method method :
                    ReflectionUtils.getUniqueDeclaredMethods(type, ReflectionUtils.USER_DECLARED_METHODS)) {
                RetriedMethod.of(method, type)
                        .ifPresent(retried -> retried.check(dependencies.get().settings()));
            }
        }
        annotatedTypes.clear();
    }
}
