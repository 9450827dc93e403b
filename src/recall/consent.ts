// Whether the user agreed to the index. It is kept in the state folder, and goes with it.
import { changeState, readState } from "../state/state.js";

const CONSENT = "recall";

export const hasConsent = (): boolean => (readState(CONSENT).value as { readonly on?: unknown } | undefined)?.on === true;

export const storeConsent = (): void => void changeState(CONSENT, () => ({ version: 1, on: true }));
