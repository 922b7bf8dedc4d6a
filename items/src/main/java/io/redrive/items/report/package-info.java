/** {@link io.redrive.items.report.RunReport}: what became of a run, as text, JSON and HTML. */
package io.redrive.items.report;
