import type { Draft } from '../../core/command/analyse/draft.ts';

/** Names that decide which code a program loads, where it connects, or what it treats as its configuration. */
const LOADS = /^(?:PATH|IFS|ENV|BASH_ENV|PS[0-4]|PROMPT_COMMAND|SHELL|HOME|CDPATH|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|RES_OPTIONS|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|PYTHON(?!UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|WARNINGS|FAULTHANDLER|ASYNCIODEBUG|DEVMODE).*|PERL.*|RUBY.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GIT_(?!TERMINAL_PROMPT|OPTIONAL_LOCKS|PAGER|AUTHOR_DATE|COMMITTER_DATE|PREFIX|TRACE$).*|SSH_.*|GOPROXY|GONOSUMDB|GOFLAGS|GOTOOLCHAIN|CC|CXX|LD|AR|RUSTC|RUSTDOC|RUSTC_.*|RUSTFLAGS|CARGO_(?!TERM_COLOR|INCREMENTAL).*|MAKE(?:FLAGS|FILES)?|npm_.*|NPM_.*|YARN_.*|PNPM_.*|BUN_.*|COREPACK_.*|PIP_.*|UV_.*|POETRY_.*|CONDA_.*|HTTPS?_PROXY|https?_proxy|ALL_PROXY|all_proxy|FTP_PROXY|ftp_proxy|no_proxy|NO_PROXY|CURL_.*|WGETRC|SSL_.*|REQUESTS_CA_BUNDLE|OPENSSL_.*|XDG_(?:CONFIG|DATA|RUNTIME).*|TMPDIR|TMP|TEMP|DOCKER_.*|KUBECONFIG|AWS_.*|GOOGLE_.*|AZURE_.*|LESS|LESSOPEN|LESSCLOSE|LESSKEY.*|MORE|MANPAGER|MANOPT|.*PAGER|.*EDITOR|VISUAL|BROWSER|RIPGREP_CONFIG_PATH|GREP_OPTIONS|LUA_.*|TCLLIBPATH|PHPRC|PHP_INI_SCAN_DIR|COMPOSER_.*|R_.*|JULIA_.*|ERL_.*|ELIXIR_.*|DOTNET_STARTUP_HOOKS|COR_.*|CORECLR_.*|MSBUILD.*|GTK_.*|QT_.*|XAUTHORITY|SUDO_.*|BASH_FUNC.*|SHELLOPTS|BASHOPTS|HISTFILE|GLOBIGNORE|FPATH|ZDOTDIR|INPUTRC|TERMINFO.*|TERMCAP|.*(?:_PRELOAD|_INIT|_PLUGINS?|_HOOKS?|_WRAPPER|_COMMAND|_CMD|_SHELL|_PROXY|RC|_LOADER|_OPTS|_OPTIONS|_ADDOPTS|_LIB|_LIBRARY_PATH|_MODULES?_PATH|_PLUGIN_PATH|_EXEC|_LAUNCHER))$/;
const HARMLESS_VALUES: Readonly<Record<string, RegExp>> = {
  GIT_PAGER: /^(?:cat|)$/, PAGER: /^(?:cat|)$/, MANPAGER: /^(?:cat|)$/, NO_PROXY: /^[\w.,*:-]*$/, no_proxy: /^[\w.,*:-]*$/, NODE_OPTIONS: /^(?:\s*--(?:max-old-space-size=\d+|no-warnings|enable-source-maps|trace-warnings|trace-deprecation|stack-trace-limit=\d+|unhandled-rejections=\w+|experimental-vm-modules|no-deprecation))*\s*$/,
  LESS: /^-?[RFXSNiKM]*$/, IFS: /^[\s,:;|=/.-]*$/, EDITOR: /^(?:true|:|cat)$/, GIT_EDITOR: /^(?:true|:|cat)$/, GIT_SEQUENCE_EDITOR: /^(?:true|:)$/, RUSTFLAGS: /^(?:\s*-D\s?warnings)*$/, CARGO_NET_OFFLINE: /^\w*$/, UV_OFFLINE: /^\w*$/, PIP_DISABLE_PIP_VERSION_CHECK: /^\w*$/, CC: /^(?:gcc|clang|cc)(?:-\d+)?$/, CXX: /^(?:g\+\+|clang\+\+|c\+\+)(?:-\d+)?$/,
};

/** Whether setting a variable can change which program runs or what it loads. */
export function injects(name: string, value: string): boolean {
  const pattern = Object.hasOwn(HARMLESS_VALUES, name) ? HARMLESS_VALUES[name] : undefined;
  if (pattern !== undefined) return !pattern.test(value);
  return LOADS.test(name);
}

export function describeEnvironment(draft: Draft): void {
  for (const { name, value } of draft.assignments) {
    const local = draft.argv.length === 0 && (name === 'TMPDIR' || name === 'TMP' || name === 'TEMP');
    if (!local && injects(name, value.text)) draft.raise('environment_injection', name);
  }
}
