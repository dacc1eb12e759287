-- Stands in for the modules of KOReader that know a device: network, documents, the file manager, words of the screen.
local UIManager = require("ui/uimanager")

local function as_it_is(text)
    return text
end

local gettext = setmetatable({
    ngettext = function(one, many, count)
        return count == 1 and one or many
    end,
}, {
    __call = function(_, text)
        return text
    end,
})

local logger = { dbg = function() end }
for _, level in ipairs({ "info", "warn", "err" }) do
    logger[level] = function(...)
        local words = { level .. ":" }
        for index = 1, select("#", ...) do
            table.insert(words, tostring(select(index, ...)))
        end
        io.stderr:write(table.concat(words, " "), "\n")
    end
end

local home = os.getenv("KO_HOME")

local storage = {}

function storage:getDataDir()
    return home
end

for name, folder in pairs({ Settings = "settings", History = "history", DocSettings = "docs", DocSettingsHash = "hashes" }) do
    storage["get" .. name .. "Dir"] = function()
        return home .. "/" .. folder
    end
end
require("libs/libkoreader-lfs").mkdir(storage:getSettingsDir())

local network = { online = true }

function network:isOnline()
    return self.online
end

function network:runWhenOnline(action)
    if self.online then
        action()
    end
end

network.runWhenConnected = network.runWhenOnline

local MIME = { epub = "application/epub+zip", pdf = "application/pdf" }

local documents = {}

function documents:hasProvider(name, mime)
    if mime then
        return self:mimeToExt(mime) ~= nil
    end
    return name ~= nil and MIME[(name:match("%.([^.]+)$") or ""):lower()] ~= nil
end

function documents:mimeToExt(mime)
    for extension, known in pairs(MIME) do
        if mime == known then
            return extension
        end
    end
end

local file_manager = {}

function file_manager:deleteFile(path)
    os.remove(path)
    require("docsettings"):open(path):purge()
end

function file_manager:moveFile(from, to)
    return os.rename(from, to)
end

-- The folder that the person chooses when asked for one.
local chooser = {}

function chooser:new(dialog)
    dialog.chooseDir = function()
        dialog.onConfirm(chooser.folder)
    end
    return dialog
end

local Cache = { kept = {} }

function Cache:new(cache)
    return setmetatable(cache, { __index = self })
end

function Cache:check(key)
    return self.kept[key]
end

function Cache:insert(key, value)
    self.kept[key] = value
end

local MODULES = {
    gettext = gettext,
    logger = logger,
    cache = Cache,
    datastorage = storage,
    dispatcher = { registerAction = function() end },
    device = { model = "test", screen = {}, isAndroid = function() return false end },
    dbg = { guard = function() end, dassert = function() end },
    readhistory = { removeItemByPath = function() end },
    ["ssl.https"] = {},
    ["ui/bidi"] = { dirpath = as_it_is, filepath = as_it_is, url = as_it_is },
    ["ui/network/manager"] = network,
    ["ui/downloadmgr"] = chooser,
    ["ui/notification"] = {},
    ["ui/renderimage"] = {},
    ["ui/trapper"] = {
        wrap = function(_, action)
            action()
        end,
        dismissableRunInSubprocess = function(_, action)
            return true, action()
        end,
    },
    ["ui/widget/notification"] = {
        SOURCE_OTHER = 0,
        notify = function(_, text)
            UIManager:show({ text = text })
        end,
    },
    ["document/documentregistry"] = documents,
    ["apps/filemanager/filemanager"] = file_manager,
    ["apps/filemanager/filemanagerutil"] = { abbreviate = as_it_is },
}
for name, module in pairs(MODULES) do
    package.preload[name] = function()
        return module
    end
end
