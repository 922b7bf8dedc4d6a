/** {@link io.redrive.items.run.Run} takes samples through a pipeline; everything else here is its engine. */
package io.redrive.items.run;
