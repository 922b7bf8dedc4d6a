package io.redrive.cli;

import picocli.CommandLine.ITypeConverter;

final class InputFileConverter implements ITypeConverter<InputFile> {

    @Override
    public InputFile convert(String value) {
        return new InputFile(value);
    }
}
