export declare function createRandom(seed: number): () => number;
export declare function randomMessage(random: () => number): string;
