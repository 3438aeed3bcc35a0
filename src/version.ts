declare const __VERSION__: string;

/** The version of the package, put in by the build. */
export const VERSION = __VERSION__;
