import { type OwnInstaller, PACKAGE } from "../setup.js";

export const piSetup: OwnInstaller = {
  name: "pi",
  install: `pi install npm:${PACKAGE}`,
  remove: `pi remove npm:${PACKAGE}`,
};
