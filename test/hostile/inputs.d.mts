type Inputs = Readonly<Record<string, (size: number) => string>>;
export declare const HOSTILE: Inputs;
export declare const AWKWARD: Inputs;
export declare const FOUND: Inputs;
