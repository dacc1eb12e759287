-- An e-reader without a screen: runs plugins of KOReader as they are, and does what a person does, one line of JSON each.
-- Usage: luajit device.lua FOLDER-OF-KOREADER FOLDER-OF-THESE-FILES, with KO_HOME for settings.
local koreader, here = arg[1], arg[2]
package.path = table.concat({ here .. "/?.lua", koreader .. "/frontend/?.lua", koreader .. "/?.lua", package.path }, ";")

local JSON = require("json")
local as_list = require("json.util").InitArray

require("base")
require("widgets")
require("modules")
G_reader_settings = require("luasettings"):wrap({})
require("socketutil")

local UIManager = require("ui/uimanager")
local plugin, menus

local function shown_text(item)
    return item.text_func and item.text_func() or item.text
end

local function titled(items, text)
    for _, item in ipairs(items) do
        if (shown_text(item) or ""):find(text, 1, true) == 1 then
            return item
        end
    end
end

-- Every button of a dialog or box, by its text.
local function buttons_of(widget)
    local buttons = {}
    for _, row in ipairs(widget.buttons or widget.buttons_table or {}) do
        for _, button in ipairs(row) do
            table.insert(buttons, button)
        end
    end
    for _, name in ipairs({ "choice1", "choice2", "ok" }) do
        if widget[name .. "_callback"] then
            local text = widget[name .. "_text_func"] and widget[name .. "_text_func"]() or widget[name .. "_text"]
            local function callback()
                UIManager:close(widget)
                widget[name .. "_callback"]()
            end
            table.insert(buttons, { text = text, callback = callback })
        end
    end
    for _, check in ipairs(widget.checks or {}) do
        table.insert(buttons, { text = check.text, callback = function() check.checked = not check.checked end })
    end
    return buttons
end

local function list_of_books()
    return UIManager:top(function(widget)
        return widget.item_table
    end)
end

local does = {}

function does.open(order)
    package.path = koreader .. "/plugins/" .. order.plugin .. ".koplugin/?.lua;" .. package.path
    local ui = { menu = { registerToMainMenu = function() end } }
    function ui:handleEvent(event)
        return plugin:handleEvent(event)
    end
    local class = dofile(koreader .. "/plugins/" .. order.plugin .. ".koplugin/main.lua")
    plugin = class:new({ ui = ui })
    menus = {}
    plugin:addToMainMenu(menus)
end

function does.menu(order)
    local _, item = next(menus)
    for _, text in ipairs(order.path) do
        item = assert(titled(item.sub_item_table, text), "no " .. text .. " in the menu")
    end
    assert(not item.enabled_func or item.enabled_func(), "the menu's item is greyed out")
    item.callback({ updateItems = function() end })
end

function does.type(order)
    UIManager:top(function(widget)
        return widget.type
    end):type(order.values)
end

function does.tap(order)
    local button
    UIManager:top(function(widget)
        button = titled(buttons_of(widget), order.text)
        return button
    end)
    assert(button.enabled ~= false, order.text .. " is greyed out")
    button.callback()
end

function does.event(order)
    plugin:handleEvent(require("ui/event"):new(order.name, order.argument))
end

function does.choose(order)
    require("ui/downloadmgr").folder = order.folder
    G_reader_settings:saveSetting("download_dir", order.folder)
end

function does.network(order)
    require("ui/network/manager").online = order.online
end

-- What the reader writes when a book is closed.
function does.read(order)
    local settings = require("docsettings"):open(order.file)
    settings:saveSetting("percent_finished", order.percent)
    settings:saveSetting("summary", { status = order.status, note = order.note })
    settings:flush()
end

function does.flush()
    plugin:onFlushSettings()
end

function does.select(order)
    local list = list_of_books()
    list:onMenuSelect(assert(titled(list.item_table, order.text), "no " .. order.text .. " in the list"))
end

function does.page()
    list_of_books():onNextPage()
end

function does.back()
    list_of_books():onReturn()
end

function does.corner()
    list_of_books().onLeftButtonTap()
end

local function lines_of_the_list()
    local lines = {}
    for _, widget in ipairs(UIManager.windows) do
        if widget.item_table then
            lines = {}
            for _, item in ipairs(widget.item_table) do
                table.insert(lines, item.text)
            end
        end
    end
    return lines
end

for line in io.lines() do
    local order = JSON.decode(line)
    UIManager.shown = {}
    local ok, problem = xpcall(does[order.action], debug.traceback, order)
    local answer = { shown = as_list(UIManager.shown), list = as_list(lines_of_the_list()) }
    answer.problem = not ok and tostring(problem) or nil
    io.stdout:write(JSON.encode(answer), "\n")
    io.stdout:flush()
end
