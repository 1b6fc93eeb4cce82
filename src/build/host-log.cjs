// @ts-check
/**
 * Stands in for the browser host's log writer (`@vscode/spdlog`), which would need a C++ compiler on every machine.
 * Without a writer the host keeps every log line in memory and its Output panel stays empty. Same lines, same
 * interface, written at once; a file that is full starts again and its last text stays beside it as `<name>.1`.
 */
const { appendFileSync, mkdirSync, renameSync, statSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

/** @param {number} number @param {number} [width] */
const digits = (number, width = 2) => String(number).padStart(width, '0');

/** @param {Date} time */
function stamp(time) {
  const day = `${time.getFullYear()}-${digits(time.getMonth() + 1)}-${digits(time.getDate())}`;
  return `${day} ${digits(time.getHours())}:${digits(time.getMinutes())}:${digits(time.getSeconds())}.${digits(time.getMilliseconds(), 3)}`;
}

class Logger {
  /** @param {string} _type @param {string} _name @param {string} file @param {number} maxBytes */
  constructor(_type, _name, file, maxBytes) {
    this.file = file;
    this.maxBytes = maxBytes;
    this.level = 2;
    this.raw = false;
    this.bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** @param {number} level @param {string} message */
  write(level, message) {
    if (level < this.level) return;
    const text = this.raw ? message : `${stamp(new Date())} [${levels[level]}] ${message}\n`;
    try {
      if (this.bytes > this.maxBytes) {
        renameSync(this.file, `${this.file}.1`);
        this.bytes = 0;
      }
      appendFileSync(this.file, text);
      this.bytes += Buffer.byteLength(text);
    } catch {
      // The folder of the run is gone: it is ending.
    }
  }

  /** @param {string} message */
  trace(message) { this.write(0, message); }
  /** @param {string} message */
  debug(message) { this.write(1, message); }
  /** @param {string} message */
  info(message) { this.write(2, message); }
  /** @param {string} message */
  warn(message) { this.write(3, message); }
  /** @param {string} message */
  error(message) { this.write(4, message); }
  /** @param {string} message */
  critical(message) { this.write(5, message); }
  getLevel() { return this.level; }
  /** @param {number} level */
  setLevel(level) { this.level = level; }
  clearFormatters() { this.raw = true; }
  setPattern() {}
  flush() {}
  drop() {}
}

/** @param {string} name @param {string} file @param {number} maxBytes */
async function createRotatingLogger(name, file, maxBytes) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('rotating', name, file, maxBytes);
}

exports.version = 0;
exports.Logger = Logger;
exports.createRotatingLogger = createRotatingLogger;
exports.createAsyncRotatingLogger = createRotatingLogger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
