package io.redrive.spring.test;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Lets each test method begin without the events of those before it: they share an application. */
final class EventReset implements BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) {
        SpringExtension.getApplicationContext(context)
                .getBeanProvider(TestPipeline.class)
                .ifAvailable(TestPipeline::reset);
    }
}
