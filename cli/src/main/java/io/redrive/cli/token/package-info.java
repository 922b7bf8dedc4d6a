/** Commands on the tokens of callers of a server. The tokens lie in the store, so that the first one needs no server. */
@NullMarked
package io.redrive.cli.token;

import org.jspecify.annotations.NullMarked;
