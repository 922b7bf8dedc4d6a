package io.redrive.cli.command;

import picocli.CommandLine.ITypeConverter;

/** Lets options and parameters have the type {@link InputFile}. */
public final class InputFileConverter implements ITypeConverter<InputFile> {

    @Override
    public InputFile convert(String value) {
        return new InputFile(value);
    }
}
