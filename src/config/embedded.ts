// The build of a single file puts the texts of the built-in packs here, by their names.

export const embedded: Readonly<Record<string, string>> | undefined = undefined;
