-- Stands in for the native part of KOReader: files, its ffi helpers, checksums. LuaJIT of the system is enough.
local ffi = require("ffi")

ffi.cdef([[
    typedef struct satchel_directory satchel_directory;
    satchel_directory *opendir(const char *name);
    int closedir(satchel_directory *directory);
    int mkdir(const char *path, unsigned int mode);
    int rmdir(const char *path);
]])

-- KOReader's LuaJIT is built with the functions of Lua 5.2.
table.pack = table.pack or function(...)
    return { n = select("#", ...), ... }
end
table.unpack = table.unpack or unpack

local function quoted(path)
    return "'" .. path:gsub("'", "'\\''") .. "'"
end

local function output(command)
    local pipe = assert(io.popen(command))
    local text = pipe:read("*a")
    pipe:close()
    return text
end

local function is_directory(path)
    local directory = ffi.C.opendir(path)
    if directory == nil then
        return false
    end
    ffi.C.closedir(directory)
    return true
end

local lfs = {}

function lfs.attributes(path, name)
    if not path or path == "" then
        return nil
    end
    local attributes
    if is_directory(path) then
        attributes = { mode = "directory", size = 4096, modification = 0 }
    else
        local file = io.open(path, "rb")
        if not file then
            return nil
        end
        attributes = { mode = "file", size = file:seek("end") }
        file:close()
        attributes.modification = tonumber(output("stat -c %Y " .. quoted(path)))
    end
    if name then
        return attributes[name]
    end
    return attributes
end

function lfs.dir(path)
    assert(is_directory(path), path .. " is no directory")
    return output("ls -a " .. quoted(path)):gmatch("[^\n]+")
end

function lfs.mkdir(path)
    return ffi.C.mkdir(path, 493) == 0 or nil
end

function lfs.rmdir(path)
    return ffi.C.rmdir(path) == 0 or nil
end

function lfs.currentdir()
    return (output("pwd"):gsub("\n", ""))
end

local util = {}

function util.template(text, ...)
    local values = { ... }
    return (text:gsub("%%(%d+)", function(index)
        return tostring(values[tonumber(index)])
    end))
end

function util.joinPath(folder, name)
    if name:sub(1, 1) == "/" then
        return name
    end
    return (folder:gsub("/+$", "")) .. "/" .. name
end

function util.basename(path)
    return (path:gsub("/+$", ""):gsub(".*/", ""))
end

function util.dirname(path)
    return path:match("^(.*)/[^/]*$") or "."
end

function util.orderedPairs(map)
    local keys = {}
    for key in pairs(map) do
        table.insert(keys, key)
    end
    table.sort(keys, function(left, right)
        return tostring(left) < tostring(right)
    end)
    local index = 0
    return function()
        index = index + 1
        return keys[index], map[keys[index]]
    end
end

function util.copyFile(from, to)
    return os.execute("cp " .. quoted(from) .. " " .. quoted(to)) ~= 0 or nil
end

function util.isAndroid()
    return false
end

function util.fsyncOpenedFile() end
function util.fsyncDirectory() end

package.preload["libs/libkoreader-lfs"] = function()
    return lfs
end
package.preload["ffi/util"] = function()
    return util
end
package.preload["ffi/utf8proc"] = function()
    return { lowercase = string.lower }
end
package.preload["ffi/sha2"] = function()
    return {
        md5 = function()
            error("no checksum is asked for in these sessions")
        end,
    }
end
