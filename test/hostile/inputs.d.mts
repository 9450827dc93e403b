export declare const HOSTILE: Readonly<Record<string, (size: number) => string>>;
