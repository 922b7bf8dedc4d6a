package io.redrive.spring.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Reads the properties of {@link RedriveTest}. */
final class RedriveTestBootstrapper extends TestSliceTestContextBootstrapper<RedriveTest> {}
