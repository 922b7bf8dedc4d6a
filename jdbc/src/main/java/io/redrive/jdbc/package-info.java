/** x */
@NullMarked
package io.redrive.jdbc;

import org.jspecify.annotations.NullMarked;
