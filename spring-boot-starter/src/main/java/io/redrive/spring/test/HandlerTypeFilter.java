package io.redrive.spring.test;

import io.redrive.spring.OnEvent;
import io.redrive.spring.PipelineCustomizer;
import java.io.IOException;
import java.util.Set;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Excludes all components of an application except beans with {@link OnEvent} methods and {@link PipelineCustomizer}s. */
final class HandlerTypeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<RedriveTest> {

    HandlerTypeFilter(Class<?> testClass) {
        super(testClass);
    }

    @Override
    protected Set<Class<?>> getKnownIncludes() {
        return Set.of(PipelineCustomizer.class);
    }

    @Override
    protected boolean defaultInclude(MetadataReader type, MetadataReaderFactory types) throws IOException {
        return type.getAnnotationMetadata().hasAnnotatedMethods(OnEvent.class.getName())
                || super.defaultInclude(type, types);
    }
}
